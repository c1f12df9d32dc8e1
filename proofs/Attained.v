(** Some hyperplane attains the margin γ of the data, if γ > 0: the near-optimal unit
    vectors lie ever closer together, by the parallelogram law, so their coordinates
    have limits. *)

From Perceptron Require Import Space Online Threshold Separation.
Require Import Lra Psatz Lia.

(** |⟨u, z⟩ − ⟨w, z⟩| ≤ DΣ|zⱼ| if no coordinate differs by more than D. *)
Definition absolute (z : list R) := fold_right (fun a s => Rabs a + s) 0 z.

Lemma absolute_nonneg z : 0 <= absolute z.
Proof. induction z as [| a z IH]; simpl; [lra |]. pose proof (Rabs_pos a). lra. Qed.

Lemma Rabs_at_most a b : Rabs a <= b -> - b <= a <= b.
Proof. unfold Rabs. destruct (Rcase_abs a); lra. Qed.

Lemma nth_tail (v : list R) j : nth j (tl v) 0 = nth (S j) v 0.
Proof. destruct v; [now destruct j |]. easy. Qed.

Lemma inner_head_tail (v z : list R) a : seq_inner v (a :: z) = nth 0 v 0 * a + seq_inner (tl v) z.
Proof. destruct v; simpl; ring. Qed.

Lemma inner_near (D : R) (u w z : list R) : (forall j, (j < length z)%nat -> Rabs (nth j u 0 - nth j w 0) <= D) ->
  Rabs (seq_inner u z - seq_inner w z) <= D * absolute z.
Proof.
  revert u w. induction z as [| a z IH]; intros u w H.
  - rewrite !(seq_sym _ []). simpl. rewrite Rminus_0_r, Rabs_R0. lra.
  - rewrite !inner_head_tail. simpl absolute. specialize (IH (tl u) (tl w)).
    assert (T : Rabs (seq_inner (tl u) z - seq_inner (tl w) z) <= D * absolute z).
    { apply IH. intros j L. rewrite !nth_tail. apply H. simpl. lia. }
    pose proof (H 0%nat ltac:(simpl; lia)) as A. pose proof (Rabs_pos a).
    replace (nth 0 u 0 * a + seq_inner (tl u) z - (nth 0 w 0 * a + seq_inner (tl w) z))
      with ((nth 0 u 0 - nth 0 w 0) * a + (seq_inner (tl u) z - seq_inner (tl w) z)) by ring.
    apply (Rle_trans _ _ _ (Rabs_triang _ _)). rewrite Rabs_mult. nra.
Qed.

Lemma nth_square (v : list R) j : nth j v 0 ^ 2 <= seq_inner v v.
Proof.
  revert j. induction v as [| a v IH]; intros [| j]; simpl; try nra.
  - pose proof (seq_nonneg v). nra.
  - specialize (IH j). simpl in IH. nra.
Qed.

Lemma nth_difference (v w : list R) j : nth j (seq_add v (map (Rmult (-1)) w)) 0 = nth j v 0 - nth j w 0.
Proof.
  revert w j. induction v as [| a v IH]; intros w j.
  - cbn [seq_add]. replace (nth j [] 0) with 0 by (now destruct j).
    destruct (Nat.lt_ge_cases j (length w)) as [L | L].
    + rewrite (nth_indep _ _ (-1 * 0)) by (now rewrite map_length). rewrite (map_nth (Rmult (-1))). lra.
    + rewrite !nth_overflow; [lra | exact L | now rewrite map_length].
  - destruct w as [| b w]; [simpl map; simpl seq_add; destruct j; simpl; lra |]. destruct j; simpl; [lra | apply IH].
Qed.

Section Attained.
Variables (rows : list sequences) (γ : R) (z0 : sequences).
Hypothesis first : In z0 rows.
Hypothesis γ_positive : 0 < γ.
Hypothesis γ_margin : margin sequences rows γ.

(** Unit vectors whose margin is γ − ε at least. *)
Definition nearly (ε : R) (w : sequences) := ‖w‖ = 1 /\ forall z, In z rows -> γ - ε <= ⟨w, z⟩.

Lemma nearly_exists ε : 0 < ε -> ~ ~ exists w, nearly ε w.
Proof.
  intros P N. destruct γ_margin as [_ L].
  assert (B : γ <= γ - ε); [| lra]. apply L. intros g [w M]. apply Rnot_lt_le. intros G. apply N.
  destruct (unit_margin _ _ w g M) as (v & U & V). exists v. split; [exact U |]. intros z I. specialize (V z I). lra.
Qed.

(** ‖v − w‖² = 4 − ‖v + w‖², and v + w has at most the margin γ. *)
Lemma nearly_close D ε v w : 0 < D -> 0 < ε -> ε <= γ / 2 -> ε <= γ * D ^ 2 / 8 -> nearly ε v -> nearly ε w ->
  forall j, Rabs (nth j v 0 - nth j w 0) <= D.
Proof.
  intros P Q H B [Nv V] [Nw W] j. set (s := (v : sequences) ⊕ w).
  assert (S : forall z, In z rows -> 2 * (γ - ε) <= ⟨s, z⟩).
  { intros z I. unfold s. rewrite inner_add. specialize (V z I). specialize (W z I). lra. }
  assert (Ps : 0 < ‖s‖) by (apply (norm_positive _ s z0); specialize (S z0 first); lra).
  assert (M : 2 * (γ - ε) / ‖s‖ <= γ).
  { destruct γ_margin as [U _]. apply U. exists s. split; [exact Ps |]. intros z I. specialize (S z I).
    replace (2 * (γ - ε) / ‖s‖ * ‖s‖) with (2 * (γ - ε)) by (field; lra). exact S. }
  assert (T : 2 * (γ - ε) <= γ * ‖s‖).
  { apply (Rmult_le_compat_r ‖s‖) in M; [| lra]. unfold Rdiv in M. rewrite Rmult_assoc, Rinv_l in M; lra. }
  assert (X : ⟨(v : sequences) ⊕ -1 · w, (v : sequences) ⊕ -1 · w⟩ = 4 - ‖s‖ ^ 2).
  { rewrite square_add, norm_square. unfold s. rewrite inner_add, !inner_add_r, <- !norm_square, Nv, Nw, (inner_sym _ w v). ring. }
  pose proof (nth_square (seq_add v (map (Rmult (-1)) w)) j) as C. rewrite nth_difference in C.
  change (seq_inner _ _) with ⟨(v : sequences) ⊕ -1 · w, (v : sequences) ⊕ -1 · w⟩ in C. rewrite X in C.
  assert (Y : (γ * ‖s‖) ^ 2 >= (2 * (γ - ε)) ^ 2) by (apply Rle_ge, pow_incr; lra).
  assert (Z : 4 - ‖s‖ ^ 2 <= D ^ 2).
  { apply (Rmult_le_reg_l (γ ^ 2)); [apply pow_lt; exact γ_positive |].
    replace ((γ * ‖s‖) ^ 2) with (γ ^ 2 * ‖s‖ ^ 2) in Y by ring. nra. }
  apply Rabs_le. assert ((nth j v 0 - nth j w 0) ^ 2 <= D ^ 2) by lra. split; nra.
Qed.

(** The limit of coordinate j: the least upper bound of what all near-optimal ones exceed. *)
Definition exceeded j a := exists ε, 0 < ε /\ forall w, nearly ε w -> a <= nth j w 0.

Lemma unit_coordinate w j ε : nearly ε w -> -1 <= nth j w 0 <= 1.
Proof.
  intros [N _]. pose proof (nth_square w j) as C. change (seq_inner w w) with ⟨(w : sequences), w⟩ in C.
  rewrite <- norm_square, N in C. split; nra.
Qed.

Lemma limit_exists j : { a | is_lub (exceeded j) a }.
Proof.
  apply completeness.
  - exists 1. intros a (ε & P & A). apply Rnot_lt_le. intros G. apply (nearly_exists ε P). intros [w W].
    specialize (A w W). pose proof (unit_coordinate w j ε W). lra.
  - exists (-1). exists 1. split; [lra |]. intros w W. now apply (unit_coordinate w j 1).
Qed.

Variable d : nat.
Definition limit : sequences := map (fun j => proj1_sig (limit_exists j)) (seq 0 d).

Lemma limit_coordinate j : (j < d)%nat -> is_lub (exceeded j) (nth j limit 0).
Proof.
  intros L. unfold limit. rewrite (nth_indep _ 0 (proj1_sig (limit_exists 0))) by (now rewrite map_length, seq_length).
  rewrite (map_nth (fun j => proj1_sig (limit_exists j))), seq_nth by exact L. simpl. apply proj2_sig.
Qed.

Lemma limit_near D ε w : 0 < D -> 0 < ε -> ε <= γ / 2 -> ε <= γ * D ^ 2 / 8 -> nearly ε w ->
  forall j, (j < d)%nat -> Rabs (nth j limit 0 - nth j w 0) <= D.
Proof.
  intros P Q H B W j L. destruct (limit_coordinate j L) as [U M]. apply Rabs_le. split.
  - assert (A : nth j w 0 - D <= nth j limit 0); [| lra]. apply U. exists ε. split; [exact Q |]. intros v V.
    pose proof (nearly_close D ε v w P Q H B V W j) as C. apply Rabs_at_most in C. lra.
  - assert (A : nth j limit 0 <= nth j w 0 + D); [| lra]. apply M. intros a (δ & Pδ & A).
    apply Rnot_lt_le. intros G. assert (T : 0 < Rmin ε δ) by now apply Rmin_glb_lt.
    apply (nearly_exists (Rmin ε δ) T). intros [v [Nv V]].
    pose proof (Rmin_l ε δ). pose proof (Rmin_r ε δ).
    assert (V1 : nearly ε v) by (split; [exact Nv | intros z I; specialize (V z I); lra]).
    assert (V2 : nearly δ v) by (split; [exact Nv | intros z I; specialize (V z I); lra]).
    pose proof (nearly_close D ε v w P Q H B V1 W j) as C. apply Rabs_at_most in C. specialize (A v V2). lra.
Qed.

(** Whatever holds of all near-optimal vectors up to D holds of the limit. *)
Lemma limit_inner D z : 0 < D -> (length z <= d)%nat -> ~ ~ exists ε w, 0 < ε <= D /\ nearly ε w /\
  Rabs (seq_inner limit z - seq_inner w z) <= D * absolute z.
Proof.
  intros P L N. assert (0 < D ^ 2) by (now apply pow_lt). assert (0 < γ * D ^ 2) by nra.
  pose proof (Rmin_l D (Rmin (γ / 2) (γ * D ^ 2 / 8))). pose proof (Rmin_r D (Rmin (γ / 2) (γ * D ^ 2 / 8))).
  pose proof (Rmin_l (γ / 2) (γ * D ^ 2 / 8)). pose proof (Rmin_r (γ / 2) (γ * D ^ 2 / 8)).
  assert (Q : 0 < Rmin D (Rmin (γ / 2) (γ * D ^ 2 / 8))) by (repeat apply Rmin_glb_lt; lra).
  set (ε := Rmin D (Rmin (γ / 2) (γ * D ^ 2 / 8))) in *.
  apply (nearly_exists ε Q). intros [w W]. apply N. exists ε, w. split; [lra | split; [exact W |]].
  apply inner_near. intros j J. apply (limit_near D ε w); auto; try lra; lia.
Qed.

Lemma limit_score z : In z rows -> (length z <= d)%nat -> γ <= ⟨limit, z⟩.
Proof.
  intros I L. apply Rnot_lt_le. intros G. pose proof (absolute_nonneg z) as A.
  set (D := (γ - ⟨limit, z⟩) / (2 * (1 + absolute z))).
  assert (P : 0 < D) by (apply Rdiv_lt_0_compat; lra).
  assert (Q : D * (1 + absolute z) = (γ - ⟨limit, z⟩) / 2) by (unfold D; field; lra).
  apply (limit_inner D z P L). intros (ε & w & E & [_ W] & C). specialize (W z I). apply Rabs_at_most in C.
  change (seq_inner limit z) with ⟨limit, z⟩ in C. change (seq_inner w z) with ⟨(w : sequences), z⟩ in C. nra.
Qed.

Lemma limit_norm : ‖limit‖ <= 1.
Proof.
  apply Rnot_lt_le. intros G. pose proof (absolute_nonneg limit) as A.
  set (n := ‖limit‖) in *. set (D := (n ^ 2 - n) / (2 * (1 + absolute limit))).
  assert (X : 0 < n ^ 2 - n) by nra. assert (P : 0 < D) by (apply Rdiv_lt_0_compat; lra).
  assert (Q : D * (1 + absolute limit) = (n ^ 2 - n) / 2) by (unfold D; field; lra).
  apply (limit_inner D limit P). { unfold limit. now rewrite map_length, seq_length. }
  intros (ε & w & E & [N _] & C). apply Rabs_at_most in C.
  change (seq_inner limit limit) with ⟨limit, limit⟩ in C. change (seq_inner w limit) with ⟨(w : sequences), limit⟩ in C.
  rewrite <- norm_square in C. pose proof (inner_at_most _ (w : sequences) limit) as B. rewrite N in B. fold n in B, C. nra.
Qed.

Hypothesis dimension : forall z, In z rows -> (length z <= d)%nat.

Lemma limit_margin : has_margin (data_of rows) limit γ.
Proof.
  assert (S : forall z, In z rows -> γ <= ⟨limit, z⟩) by (intros z I; apply limit_score; auto).
  split; [apply (norm_positive _ _ z0); specialize (S z0 first); lra |].
  intros z I. specialize (S z I). pose proof limit_norm. nra.
Qed.
End Attained.

(** For rows with at most d coordinates. *)
Theorem margin_attained (rows : list sequences) d γ : rows <> [] -> (forall z, In z rows -> (length z <= d)%nat) ->
  0 < γ -> margin sequences rows γ -> exists w, has_margin (data_of rows) w γ.
Proof.
  intros N L P M. destruct rows as [| z l] eqn:R; [easy |]. rewrite <- R in *.
  eexists. apply (limit_margin rows γ z) with (d := d); [rewrite R; now left | exact P | exact L].
  Unshelve. exact M.
Qed.
