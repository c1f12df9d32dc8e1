(** Gordan's theorem of 1873. Exactly one of the two holds: some w has ⟨w, z⟩ > 0 on every
    row, or some λ ≥ 0, λ ≠ 0 has Σλz = 0. *)

From Perceptron Require Import Space Separation.
Require Import Lra Psatz Lia.

Section Gordan.
Variable E : space.
Implicit Types (rows zs : list E) (a w z v : E) (λ : list R).

Definition separated rows := exists w, forall z, In z rows -> 0 < ⟨w, z⟩.
Definition contradictory rows := exists λ, multipliers E rows λ /\ forall v, ⟨v, weighted λ rows⟩ = 0.

(** z without its component along a. *)
Definition project a z := z ⊕ - (⟨z, a⟩ / ⟨a, a⟩) · a.

Lemma inner_project a w z : ⟨w, project a z⟩ = ⟨project a w, z⟩.
Proof.
  unfold project. rewrite inner_add, inner_add_r, inner_scale, inner_scale_r, (inner_sym _ z a).
  unfold Rdiv. ring.
Qed.

Lemma project_orthogonal a w : ⟨a, a⟩ <> 0 -> ⟨project a w, a⟩ = 0.
Proof. intros N. unfold project. rewrite inner_add, inner_scale. now field. Qed.

Lemma weighted_project a v λ zs :
  ⟨v, weighted λ (map (project a) zs)⟩ = ⟨v, weighted λ zs⟩ - ⟨a, weighted λ zs⟩ / ⟨a, a⟩ * ⟨v, a⟩.
Proof.
  revert zs. induction λ as [| c λ IH]; intros [| z zs]; simpl; rewrite ?inner_zero_r; try (unfold Rdiv; ring).
  rewrite !inner_add_r, !inner_scale_r, IH. unfold project. rewrite inner_add_r, inner_scale_r, (inner_sym _ z a).
  unfold Rdiv. ring.
Qed.

Lemma weighted_zeros v n zs : ⟨v, weighted (repeat 0 n) zs⟩ = 0.
Proof.
  revert zs. induction n; intros [| z zs]; simpl; rewrite ?inner_zero_r, ?inner_add_r, ?inner_scale_r, ?IHn; lra.
Qed.

Lemma sum_nonneg λ : Forall (fun c => 0 <= c) λ -> 0 <= sum λ.
Proof. unfold sum. induction 1; simpl; lra. Qed.

(** A row that is 0 contradicts by itself. *)
Lemma zero_contradicts a zs : ⟨a, a⟩ = 0 -> contradictory (a :: zs).
Proof.
  intros Z. exists (1 :: repeat 0 (length zs)). split; [split; [| split] |].
  - simpl. now rewrite repeat_length.
  - constructor; [lra |]. induction zs; simpl; constructor; auto; lra.
  - assert (0 <= sum (repeat 0 (length zs))) by (apply sum_nonneg; induction zs; simpl; constructor; auto; lra).
    unfold sum in *. simpl. lra.
  - intros v. simpl. rewrite inner_add_r, inner_scale_r, weighted_zeros.
    pose proof (cauchy_schwarz _ v a). rewrite Z in *. pose proof (pow2_ge_0 ⟨v, a⟩). nra.
Qed.

(** p + εa has positive scores for a small ε > 0, if p has. *)
Lemma small_step p a zs : (forall z, In z zs -> 0 < ⟨p, z⟩) ->
  exists ε, 0 < ε /\ forall z, In z zs -> 0 < ⟨p ⊕ ε · a, z⟩.
Proof.
  intros M. destruct (least_score _ p zs M) as (c & P & C).
  assert (B : exists b, 0 < b /\ forall z, In z zs -> - b <= ⟨a, z⟩).
  { clear. induction zs as [| z zs (b & P & B)]; [exists 1; split; [lra | easy] |].
    exists (Rmax b (- ⟨a, z⟩)). split; [apply (Rlt_le_trans _ b); [easy | apply Rmax_l] |].
    pose proof (Rmax_l b (- ⟨a, z⟩)). pose proof (Rmax_r b (- ⟨a, z⟩)).
    intros x [<- | I]; [lra |]. specialize (B x I). lra. }
  destruct B as (b & Q & B). exists (c / (2 * b)).
  assert (0 < c / (2 * b)) by (apply Rmult_lt_0_compat; [| apply Rinv_0_lt_compat]; lra).
  assert (c / (2 * b) * b = c / 2) by (field; lra).
  split; [easy |]. intros z I. rewrite inner_add, inner_scale. specialize (C z I). specialize (B z I). nra.
Qed.

Lemma alternative n : forall rows, length rows = n -> separated rows \/ contradictory rows.
Proof.
  induction n as [| n IH]; intros [| a zs] L; try discriminate.
  { left. now exists zero. }
  apply eq_add_S in L. pose proof (inner_nonneg _ a) as N.
  destruct (Req_dec ⟨a, a⟩ 0) as [Z | Z]; [right; now apply zero_contradicts |].
  destruct (IH zs L) as [(w & W) | (λ & (Lλ & P & Q) & V)].
  2: { right. exists (0 :: λ). split; [split; [simpl; lia | split; [constructor; [lra | easy] | unfold sum in *; simpl; lra]] |].
    intros v. simpl. rewrite inner_add_r, inner_scale_r, V. ring. }
  destruct (Rlt_dec 0 ⟨w, a⟩) as [A | A].
  { left. exists w. intros z [<- | I]; auto. }
  destruct (IH (map (project a) zs)) as [(p & W') | (λ & (Lλ & P & Q) & V)]; [now rewrite map_length | left | right].
  - destruct (small_step (project a p) a zs) as (ε & Pε & M).
    { intros z I. rewrite <- inner_project. apply W', in_map, I. }
    exists (project a p ⊕ ε · a). intros z [<- | I]; [| now apply M].
    rewrite inner_add, inner_scale, project_orthogonal by easy. nra.
  - rewrite map_length in Lλ. set (c := ⟨a, weighted λ zs⟩ / ⟨a, a⟩).
    assert (F : forall v, ⟨v, weighted λ zs⟩ = c * ⟨v, a⟩).
    { intros v. specialize (V v). rewrite weighted_project in V. fold c in V. lra. }
    destruct (least_score _ w zs W) as (s & S & M).
    pose proof (weighted_at_least _ w s zs λ M Lλ P) as G. rewrite F in G.
    assert (C : c < 0) by nra.
    exists (- c :: λ). split; [split; [simpl; lia | split; [constructor; [lra | easy] | unfold sum in *; simpl; lra]] |].
    intros v. simpl. rewrite inner_add_r, inner_scale_r, F. ring.
Qed.

Theorem gordan rows : (separated rows \/ contradictory rows) /\ ~ (separated rows /\ contradictory rows).
Proof.
  split; [now apply (alternative (length rows)) |].
  intros [(w & W) (λ & L & V)]. apply (contradiction _ _ _ L) in W; [easy |].
  unfold norm. now rewrite V, sqrt_0.
Qed.
End Gordan.
