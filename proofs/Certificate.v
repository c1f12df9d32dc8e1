(** A checker for the certificates that examples/separable writes. It computes with
    rational numbers, and each verdict it accepts is proved to be true of the data. *)

From Perceptron Require Export Space Separation.
Require Export QArith.
Require Import Qreals Lra Psatz.
Open Scope R_scope.

(** ** What a verdict says *)

(** In Affine space x stands for (x, 1), and hyperplanes have a bias. *)
Inductive kind := Affine | Linear.

(** A table lists rows x of rational numbers, with true for the label +1. *)
Definition table := list (list Q * bool).

Definition vector_of (k : kind) (x : list Q) : sequences :=
  match k with Affine => affine 1 (map Q2R x) | Linear => map Q2R x end.
Definition signed_row (k : kind) (e : list Q * bool) : sequences :=
  (if snd e then 1 else -1) · vector_of k (fst e).
Definition signed_rows (k : kind) (t : table) : list sequences := map (signed_row k) t.

(** Some hyperplane has every row on the side of its label. *)
Definition is_separable (k : kind) (t : table) := exists w, forall e, In e t -> 0 < ⟨w, signed_row k e⟩.

(** The margin γ of the table exists and is in [lower, upper]. *)
Definition margin_between (k : kind) (t : table) (lower upper : Q) :=
  exists γ, margin _ (signed_rows k t) γ /\ Q2R lower <= γ <= Q2R upper.

(** ** The checker *)
Open Scope Q_scope.

Definition rational_row (k : kind) (e : list Q * bool) : list Q :=
  map (Qmult (if snd e then 1 else -1)) (match k with Affine => 1 :: fst e | Linear => fst e end).

Fixpoint q_add (u v : list Q) := match u, v with
  | [], _ => v
  | _, [] => u
  | a :: u, b :: v => Qred (a + b) :: q_add u v
  end.

Fixpoint q_inner (u v : list Q) := match u, v with
  | a :: u, b :: v => Qred (a * b + q_inner u v)
  | _, _ => 0
  end.

Fixpoint q_weighted (c : list Q) (zs : list (list Q)) := match c, zs with
  | a :: c, z :: zs => q_add (map (Qmult a) z) (q_weighted c zs)
  | _, _ => []
  end.

Definition q_sum (c : list Q) := fold_right (fun a s => Qred (a + s)) 0 c.
Definition q_positive (a : Q) := negb (Qle_bool a 0).

(** λ ≥ 0, λ ≠ 0, one for each row. *)
Definition check_multipliers (t : table) (λ : list Q) :=
  Nat.eqb (length λ) (length t) && forallb (Qle_bool 0) λ && q_positive (q_sum λ).

(** ⟨w, z⟩ > 0 and lower²‖w‖² ≤ ⟨w, z⟩² on every row. *)
Definition check_hyperplane (k : kind) (t : table) (w : list Q) (lower : Q) :=
  let square := Qred (lower * lower * q_inner w w) in
  q_positive lower && q_positive (q_inner w w) &&
  forallb (fun e => let s := q_inner w (rational_row k e) in q_positive s && Qle_bool square (s * s)) t.

(** ‖Σλz‖² ≤ (upper Σλ)². *)
Definition check_upper (k : kind) (t : table) (λ : list Q) (upper : Q) :=
  let v := q_weighted λ (map (rational_row k) t) in
  let bound := upper * q_sum λ in
  check_multipliers t λ && Qle_bool 0 upper && Qle_bool (q_inner v v) (bound * bound).

Definition check_separable k t w λ lower upper := check_hyperplane k t w lower && check_upper k t λ upper.
Definition check_inseparable k t λ := check_upper k t λ 0.

(** ** The checker is right *)
Close Scope Q_scope.

Definition real (v : list Q) : sequences := map Q2R v.

Lemma Q2R_red a : Q2R (Qred a) = Q2R a.
Proof. apply Qeq_eqR, Qred_correct. Qed.

Lemma Q2R_0 : Q2R 0 = 0.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma real_scale a v : real (map (Qmult a) v) = Q2R a · real v.
Proof. unfold real. simpl. rewrite !map_map. apply map_ext. intros. apply Q2R_mult. Qed.

Lemma real_add u v : real (q_add u v) = real u ⊕ real v.
Proof.
  revert v. induction u as [| a u IH]; intros [| b v]; try easy.
  change (Q2R (Qred (a + b)) :: real (q_add u v) = Q2R a + Q2R b :: (real u ⊕ real v)).
  now rewrite Q2R_red, Q2R_plus, IH.
Qed.

Lemma real_inner u v : Q2R (q_inner u v) = ⟨real u, real v⟩.
Proof.
  revert v. induction u as [| a u IH]; intros [| b v]; try apply Q2R_0.
  change (Q2R (Qred (a * b + q_inner u v)) = Q2R a * Q2R b + ⟨real u, real v⟩).
  now rewrite Q2R_red, Q2R_plus, Q2R_mult, IH.
Qed.

Lemma real_weighted c zs : real (q_weighted c zs) = weighted (map Q2R c) (map real zs).
Proof.
  revert zs. induction c as [| a c IH]; intros [| z zs]; try easy.
  cbn [q_weighted]. now rewrite real_add, real_scale, IH.
Qed.

Lemma real_sum c : Q2R (q_sum c) = sum (map Q2R c).
Proof. unfold q_sum, sum. induction c; cbn [map fold_right]; [apply Q2R_0 |]. now rewrite Q2R_red, Q2R_plus, IHc. Qed.

Lemma real_row k e : real (rational_row k e) = signed_row k e.
Proof.
  unfold rational_row, signed_row. rewrite real_scale. f_equal.
  - destruct (snd e); unfold Q2R; simpl; lra.
  - unfold real. destruct k; simpl; now rewrite ?Q2R_1.
Qed.

Lemma real_rows k t : map real (map (rational_row k) t) = signed_rows k t.
Proof. unfold signed_rows. rewrite map_map. apply map_ext. intros. apply real_row. Qed.

Lemma positive_real a : q_positive a = true -> 0 < Q2R a.
Proof.
  unfold q_positive. intros P. rewrite <- Q2R_0. apply Qlt_Rlt, Qnot_le_lt. intros L.
  apply Qle_bool_iff in L. now rewrite L in P.
Qed.

Lemma le_real a b : Qle_bool a b = true -> Q2R a <= Q2R b.
Proof. intros L. now apply Qle_Rle, Qle_bool_iff. Qed.

Lemma multipliers_sound k t λ : check_multipliers t λ = true -> multipliers _ (signed_rows k t) (map Q2R λ).
Proof.
  unfold check_multipliers. rewrite !andb_true_iff. intros [[L N] P]. apply Nat.eqb_eq in L.
  unfold signed_rows. split; [now rewrite !map_length | split].
  - apply Forall_map. apply Forall_forall. intros a I. rewrite forallb_forall in N.
    rewrite <- Q2R_0. apply le_real. auto.
  - rewrite <- real_sum. now apply positive_real.
Qed.

Lemma upper_sound k t λ upper : check_upper k t λ upper = true ->
  multipliers _ (signed_rows k t) (map Q2R λ) /\
  ‖(weighted (map Q2R λ) (signed_rows k t))‖ <= Q2R upper * sum (map Q2R λ).
Proof.
  unfold check_upper. rewrite !andb_true_iff. intros [[M N] L]. apply (multipliers_sound k) in M.
  split; [exact M |]. destruct M as (_ & _ & P). apply le_real in N, L.
  rewrite Q2R_0 in N. rewrite real_inner, real_weighted, real_rows, !Q2R_mult, real_sum in L.
  apply norm_at_most; [nra | lra].
Qed.

Lemma hyperplane_sound k t w lower : check_hyperplane k t w lower = true ->
  0 < Q2R lower /\ has_margin _ (signed_rows k t) (real w) (Q2R lower).
Proof.
  unfold check_hyperplane. rewrite !andb_true_iff, forallb_forall. intros [[L W] R].
  apply positive_real in L, W. rewrite real_inner in W. split; [exact L |].
  assert (P : 0 < ‖(real w)‖) by now apply sqrt_lt_R0.
  split; [exact P |]. intros z I. apply in_map_iff in I as (e & <- & I).
  specialize (R e I). rewrite andb_true_iff in R. destruct R as [S Q].
  apply positive_real in S. apply le_real in Q.
  rewrite Q2R_red, !Q2R_mult, !real_inner, real_row in *. rewrite <- norm_square in Q.
  assert (0 < Q2R lower * ‖(real w)‖) by nra. nra.
Qed.

(** The table is separable, with its margin in [lower, upper]. *)
Theorem separable_sound k t w λ lower upper : check_separable k t w λ lower upper = true ->
  is_separable k t /\ margin_between k t lower upper.
Proof.
  unfold check_separable. rewrite andb_true_iff. intros [H U].
  apply hyperplane_sound in H as [L W]. apply upper_sound in U as [M U].
  assert (B : forall w g, has_margin _ (signed_rows k t) w g -> g <= Q2R upper).
  { intros v g V. apply (Rle_trans _ _ _ (upper_bound _ _ _ _ _ M V)). destruct M as (_ & _ & P).
    apply (Rmult_le_reg_r (sum (map Q2R λ))); [exact P |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  split.
  - exists (real w). intros e I. destruct W as [P W]. specialize (W _ (in_map _ _ _ I)). nra.
  - destruct (completeness (fun g => exists w, has_margin _ (signed_rows k t) w g)) as [γ G].
    + exists (Q2R upper). intros g [v V]. now apply (B v).
    + exists (Q2R lower). now exists (real w).
    + exists γ. split; [exact G |]. split; [apply G; now exists (real w) |].
      apply G. intros g [v V]. now apply (B v).
Qed.

(** No hyperplane separates the table. *)
Theorem inseparable_sound k t λ : check_inseparable k t λ = true -> ~ is_separable k t.
Proof.
  intros C [w W]. apply upper_sound in C as [M U]. rewrite Q2R_0, Rmult_0_l in U.
  apply (contradiction _ _ _ M) with (w := w).
  - pose proof (norm_nonneg _ (weighted (map Q2R λ) (signed_rows k t))). lra.
  - intros z I. apply in_map_iff in I as (e & <- & I). auto.
Qed.
