(** Few rows are enough: at most as many as there are coordinates prove an upper bound of γ
    that many rows prove (Carathéodory 1911, for cones). *)

From Perceptron Require Import Space Online Separation.
Require Import Lra Lia Permutation.

(** Σ c·h(x) over pairs (c, x). *)
Definition mixed {A} (l : list (R * A)) (h : A -> R) := fold_right (fun p s => fst p * h (snd p) + s) 0 l.

Lemma mixed_plus A (l : list (R * A)) g k h : (forall x, In x (map snd l) -> g x = k x + h x) -> mixed l g = mixed l k + mixed l h.
Proof. unfold mixed. induction l as [| p l IH]; intros Q; simpl in *; [lra |]. rewrite IH by auto. rewrite (Q (snd p)) by auto. ring. Qed.

Lemma mixed_times A (l : list (R * A)) h a : mixed l (fun x => a * h x) = a * mixed l h.
Proof. unfold mixed. induction l as [| p l IH]; simpl; [lra |]. rewrite IH. ring. Qed.

Lemma mixed_same A (l m : list (R * A)) h : Permutation l m -> mixed l h = mixed m h.
Proof. unfold mixed. induction 1; simpl; lra. Qed.

(** ** More than d vectors of d coordinates are dependent *)
Lemma dependent A d : forall (f : A -> list R) items, (forall x, In x items -> (length (f x) <= d)%nat) -> (d < length items)%nat ->
  exists l, Permutation (map snd l) items /\ (exists p, In p l /\ fst p <> 0) /\ forall v, mixed l (fun x => seq_inner v (f x)) = 0.
Proof.
  induction d as [| d IH]; intros f items L N.
  - exists (map (fun x => (1, x)) items). split; [rewrite map_map, map_id; reflexivity |]. split.
    + destruct items as [| x items]; [simpl in N; lia |]. exists (1, x). split; [now left | simpl; lra].
    + intros v. clear N. unfold mixed. induction items as [| x items IH]; simpl; [easy |]. rewrite IH by (intros; apply L; now right).
      specialize (L x (or_introl eq_refl)). destruct (f x); [| simpl in L; lia]. destruct v; simpl; ring.
  - assert (I : forall b v z, seq_inner (b :: v) z = b * hd 0 z + seq_inner v (tl z)) by (intros b v [|]; destruct v; simpl; ring).
    assert (T : forall z : list R, (length z <= S d -> length (tl z) <= d)%nat) by (intros [|]; simpl; lia).
    destruct (Exists_dec (fun x => hd 0 (f x) <> 0) items) as [E | E].
    { intros x. destruct (Req_EM_T (hd 0 (f x)) 0); [right | left]; tauto. }
    + apply Exists_exists in E as (p & J & P). apply in_split in J as (l1 & l2 & ->). set (k := fun x => - hd 0 (f x) / hd 0 (f p)).
      destruct (IH (fun x => seq_add (tl (f x)) (map (Rmult (k x)) (tl (f p)))) (l1 ++ l2)) as (l & Q & (q & Jq & Nq) & Z).
      * intros x X. assert (len : forall u v, (length u <= d -> length v <= d -> length (seq_add u v) <= d)%nat).
        { clear. revert d. induction d as [| d IH]; intros [| a u] [| b v]; simpl; intros; try lia. specialize (IH u v). lia. }
        apply len; [apply T, L; apply in_app_or in X; apply in_or_app; simpl; tauto |]. rewrite map_length. apply T, L, in_or_app. simpl. tauto.
      * rewrite app_length in *. simpl in N. lia.
      * exists ((mixed l k, p) :: l). split; [simpl; rewrite Q; apply Permutation_middle |].
        split; [exists q; split; [now right | exact Nq] |].
        intros [| b v]; [clear; unfold mixed; simpl; induction l; simpl in *; lra |]. specialize (Z v).
        change (mixed l k * seq_inner (b :: v) (f p) + mixed l (fun x => seq_inner (b :: v) (f x)) = 0).
        rewrite (mixed_plus A l (fun x => seq_inner (b :: v) (f x)) (fun x => (- (b * hd 0 (f p) + seq_inner v (tl (f p)))) * k x) (fun x => seq_inner v (seq_add (tl (f x)) (map (Rmult (k x)) (tl (f p)))))).
        { rewrite mixed_times, Z, I. ring. }
        intros x _. rewrite I, (seq_sym v (seq_add _ _)), seq_inner_add, seq_inner_scale, !(seq_sym _ v). unfold k. field. exact P.
    + destruct (IH (fun x => tl (f x)) items) as (l & Q & X & Z); [auto | lia |]. exists l. split; [exact Q | split; [exact X |]].
      assert (H : forall x, In x (map snd l) -> hd 0 (f x) = 0).
      { intros x J. apply (Permutation_in x Q) in J. destruct (Req_EM_T (hd 0 (f x)) 0) as [| D]; [easy |]. elim E. apply Exists_exists. now exists x. }
      intros [| b v]; [clear; unfold mixed; induction l; simpl in *; lra |].
      rewrite (mixed_plus A l _ (fun x => 0 * 0) (fun x => seq_inner v (tl (f x)))), mixed_times, Z; [ring |]. intros x J. rewrite I, H by exact J. ring.
Qed.

(** ** A step to the first λ that becomes 0 *)
Lemma first_zero A (l : list (R * (R * A))) : (forall x, In x l -> 0 <= fst (snd x)) -> (forall x, In x l -> 0 <= fst x) \/
  exists t x, 0 <= t /\ (forall y, In y l -> 0 <= fst (snd y) + t * fst y) /\ In x l /\ fst (snd x) + t * fst x = 0.
Proof.
  induction l as [| y l IH]; intros P; [now left |]. pose proof (P y (or_introl eq_refl)) as Py.
  assert (S : fst y < 0 -> 0 <= fst (snd y) / - fst y /\ fst (snd y) + fst (snd y) / - fst y * fst y = 0).
  { intros N. split; [apply Rmult_le_pos; [exact Py | left; apply Rinv_0_lt_compat; lra] | field; lra]. }
  destruct (IH (fun x I => P x (or_intror I))) as [N | (t & x & T & B & I & Z)].
  - destruct (Rle_lt_dec 0 (fst y)) as [C | C]; [left; intros x [<- | I]; auto |]. destruct (S C) as [S1 S2].
    right. exists (fst (snd y) / - fst y), y. split; [exact S1 | split; [| split; [now left | exact S2]]].
    intros x [<- | I]; [rewrite S2; lra |]. specialize (N x I). specialize (P x (or_intror I)). set (t := fst (snd y) / - fst y) in *. nra.
  - right. destruct (Rle_lt_dec 0 (fst (snd y) + t * fst y)) as [C | C].
    + exists t, x. split; [exact T | split; [intros z [<- | J]; auto | split; [now right | exact Z]]].
    + assert (F : fst y < 0) by nra. destruct (S F) as [S1 S2]. set (t' := fst (snd y) / - fst y) in *. assert (t' < t) by (apply Rnot_le_lt; intros H; nra).
      exists t', y. split; [exact S1 | split; [| split; [now left | exact S2]]].
      intros z [<- | J]; [rewrite S2; lra |]. specialize (B z J). specialize (P z (or_intror J)). destruct (Rle_lt_dec 0 (fst z)); nra.
Qed.

Section Support.
Variables (d : nat) (rows : list sequences) (w : sequences).
Hypothesis coordinates : forall z, In z rows -> (length z <= d)%nat.
Hypothesis separating : forall z, In z rows -> 0 < ⟨w, z⟩.

Definition good (l : list (R * sequences)) := forall p, In p l -> 0 <= fst p /\ In (snd p) rows.

Lemma fewer l : good l -> (d < length l)%nat -> exists m, good m /\ (length m < length l)%nat /\
  mixed l (fun _ => 1) <= mixed m (fun _ => 1) /\ forall v : sequences, mixed m (fun z => ⟨v, z⟩) = mixed l (fun z => ⟨v, z⟩).
Proof.
  intros G N. destruct (dependent _ d snd l (fun p I => coordinates _ (proj2 (G p I))) N) as (c0 & Q0 & X0 & Z0).
  assert (exists c, Permutation (map snd c) l /\ (exists p, In p c /\ fst p <> 0) /\ (forall v, mixed c (fun x => seq_inner v (snd x)) = 0) /\
    0 <= mixed c (fun _ => 1)) as (c & Q & (q & Jq & Nq) & Z & W).
  { destruct (Rle_lt_dec 0 (mixed c0 (fun _ => 1))) as [W | W]; [now exists c0 |].
    assert (O : forall h, mixed (map (fun p => (- fst p, snd p)) c0) h = - mixed c0 h) by (clear; intros h; unfold mixed; induction c0; simpl in *; lra).
    exists (map (fun p => (- fst p, snd p)) c0). split; [now rewrite map_map | split; [| split; [intros v; rewrite O, Z0; ring | rewrite O; left; apply Ropp_0_gt_lt_contravar; exact W]]].
    destruct X0 as (p & J & D). exists (- fst p, snd p). split; [now apply (in_map (fun p => (- fst p, snd p))) | simpl; lra]. }
  assert (C : forall x, In x c -> 0 <= fst (snd x) /\ In (snd (snd x)) rows) by (intros x J; apply G, (Permutation_in _ Q), in_map, J).
  destruct (first_zero _ c (fun x J => proj1 (C x J))) as [A | (t & x & T & B & J & E)].
  - exfalso. specialize (Z w). apply in_split in Jq as (l1 & l2 & ->). clear -Z A Nq C separating.
    assert (P : forall k, (forall x, In x k -> In x (l1 ++ q :: l2)) -> 0 <= mixed k (fun x => seq_inner w (snd x))).
    { unfold mixed. induction k as [| p k IH]; intros I; simpl; [lra |]. specialize (IH (fun x J => I x (or_intror J))).
      pose proof (A p (I p (or_introl eq_refl))). pose proof (separating _ (proj2 (C p (I p (or_introl eq_refl))))) as S.
      apply Rplus_le_le_0_compat; [apply Rmult_le_pos; [assumption | left; exact S] | exact IH]. }
    rewrite (mixed_same _ _ (q :: l1 ++ l2)) in Z by (symmetry; apply Permutation_middle).
    assert (Iq : In q (l1 ++ q :: l2)) by (apply in_or_app; simpl; tauto). pose proof (A q Iq). pose proof (separating _ (proj2 (C q Iq))) as S.
    specialize (P (l1 ++ l2)). assert (0 <= mixed (l1 ++ l2) (fun x => seq_inner w (snd x))) by (apply P; intros y; rewrite !in_app_iff; simpl; tauto).
    assert (0 < fst q * seq_inner w (snd (snd q))) by (apply Rmult_lt_0_compat; [lra | exact S]).
    change (fst q * seq_inner w (snd (snd q)) + mixed (l1 ++ l2) (fun x => seq_inner w (snd x)) = 0) in Z. lra.
  - set (g := fun y : R * (R * sequences) => (fst (snd y) + t * fst y, snd (snd y))).
    assert (K : forall k h, mixed (map g k) h = mixed (map snd k) h + t * mixed k (fun x : R * sequences => h (snd x))).
    { intros k h. unfold mixed. induction k as [| y k IH]; cbn [g map fold_right fst snd]; [lra |]. rewrite IH. ring. }
    assert (exists m, good m /\ S (length m) = length l /\ forall h, mixed m h = mixed l h + t * mixed c (fun x => h (snd x))) as (m & M1 & M2 & M3).
    { apply in_split in J as (l1 & l2 & ->). exists (map g (l1 ++ l2)). split; [| split].
      - intros p I. apply in_map_iff in I as (y & <- & I). assert (In y (l1 ++ x :: l2)) by (revert I; rewrite !in_app_iff; simpl; tauto). split; [now apply B | now apply C].
      - rewrite <- (Permutation_length Q), !map_length, !app_length. simpl. lia.
      - intros h. rewrite <- (mixed_same _ _ _ h Q), <- K, <- (mixed_same _ _ _ h (Permutation_map g (Permutation_middle l1 l2 x))).
        change (mixed (map g (l1 ++ l2)) h = (fst (snd x) + t * fst x) * h (snd (snd x)) + mixed (map g (l1 ++ l2)) h). rewrite E. ring. }
    exists m. split; [exact M1 | split; [lia | split]]; [| intros v]; rewrite M3; [nra |].
    change (mixed c (fun x => ⟨v, snd x⟩)) with (mixed c (fun x => seq_inner v (snd x))). rewrite Z. ring.
Qed.

(** At most d rows with λ > 0 prove any bound that λ prove of separable data. *)
Theorem few_rows λ : multipliers sequences rows λ -> exists zs μ, (length zs <= d)%nat /\ (forall z, In z zs -> In z rows) /\
  multipliers sequences zs μ /\ ‖(weighted μ zs)‖ / sum μ <= ‖(weighted λ rows)‖ / sum λ.
Proof.
  intros (L & N & P).
  assert (F : forall n l, (length l <= n)%nat -> good l -> exists m, good m /\ (length m <= d)%nat /\
    mixed l (fun _ => 1) <= mixed m (fun _ => 1) /\ forall v : sequences, mixed m (fun z => ⟨v, z⟩) = mixed l (fun z => ⟨v, z⟩)).
  { induction n as [| n IH]; intros l Ln G; (destruct (Nat.le_gt_cases (length l) d) as [S | S]; [exists l; auto using Rle_refl |]); [lia |].
    destruct (fewer l G S) as (m & G1 & L1 & W1 & V1). destruct (IH m ltac:(lia) G1) as (k & G2 & L2 & W2 & V2).
    exists k. split; [exact G2 | split; [exact L2 | split; [lra | intros v; now rewrite V2, V1]]]. }
  assert (V : forall (l : list (R * sequences)) v, mixed l (fun z => ⟨v, z⟩) = ⟨v, weighted (map fst l) (map snd l)⟩).
  { clear. unfold mixed. induction l as [| p l IH]; intros v; cbn [map fold_right weighted]; [now rewrite inner_zero_r | now rewrite IH, inner_add_r, inner_scale_r]. }
  assert (W : forall l : list (R * sequences), mixed l (fun _ => 1) = sum (map fst l)) by (clear; unfold mixed, sum; induction l as [| p l IH]; cbn [map fold_right]; [easy | rewrite IH; ring]).
  assert (C : forall (a : list R) (zs : list sequences), length a = length zs -> map fst (combine a zs) = a /\ map snd (combine a zs) = zs).
  { induction a as [| b a IH]; intros [| z zs] Q; try easy. destruct (IH zs (eq_add_S _ _ Q)) as [E1 E2]. cbn [combine map fst snd]. now rewrite E1, E2. }
  destruct (C λ rows L) as [E1 E2]. destruct (F _ (combine λ rows) (le_n _)) as (m & G & Lm & Wm & Vm).
  { intros [a z] I. rewrite Forall_forall in N. split; [apply N, (in_combine_l _ _ _ _ I) | apply (in_combine_r _ _ _ _ I)]. }
  rewrite !W, E1 in Wm. exists (map snd m), (map fst m). split; [now rewrite map_length | split; [| split]].
  - intros z I. apply in_map_iff in I as (p & <- & I). now apply G.
  - split; [now rewrite !map_length | split; [| lra]]. apply Forall_forall. intros a I. apply in_map_iff in I as (p & <- & I). now apply G.
  - assert (Q : ‖(weighted (map fst m) (map snd m))‖ = ‖(weighted λ rows)‖).
    { unfold norm. now rewrite <- V, Vm, V, E1, E2, inner_sym, <- V, Vm, V, E1, E2. }
    rewrite Q. apply Rmult_le_compat_l; [apply norm_nonneg | now apply Rinv_le_contravar].
Qed.
End Support.
