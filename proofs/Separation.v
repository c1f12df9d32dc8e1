(** What proves that data is separable, by how much, and that it is not. *)

From Perceptron Require Import Space Online Threshold Batch.
Require Import Lra Psatz.

Section Separation.
Variable E : space.
Implicit Types (rows : list E) (w u : E) (λ : list R).

(** γ, the margin of the data, is the least upper bound of the g that some w has. *)
Definition margin rows (γ : R) := is_lub (fun g => exists w : E, has_margin (data_of rows) w g) γ.

(** λ ≥ 0, λ ≠ 0: one multiplier for each row. *)
Definition multipliers rows λ := length λ = length rows /\ Forall (fun a => 0 <= a) λ /\ 0 < sum λ.

(** If ⟨w, z⟩ ≥ c on every row, then ⟨w, Σλz⟩ ≥ cΣλ. *)
Lemma weighted_at_least w c rows λ : (forall z, In z rows -> c <= ⟨w, z⟩) ->
  length λ = length rows -> Forall (fun a => 0 <= a) λ -> c * sum λ <= ⟨w, weighted λ rows⟩.
Proof.
  revert rows. induction λ as [| a λ IH]; intros [| z rows] M L N; try discriminate; simpl.
  - rewrite inner_zero_r. lra.
  - inversion_clear N as [| ? ? A N']. rewrite inner_add_r, inner_scale_r.
    pose proof (Rmult_le_compat_l a _ _ A (M z (or_introl eq_refl))).
    specialize (IH rows (fun x H => M x (or_intror H)) (eq_add_S _ _ L) N'). unfold sum in *. simpl. lra.
Qed.

(** Positive scores on finitely many rows have a positive least one. *)
Lemma least_score w rows : (forall z, In z rows -> 0 < ⟨w, z⟩) ->
  exists c, 0 < c /\ forall z, In z rows -> c <= ⟨w, z⟩.
Proof.
  induction rows as [| z rows IH]; intros M; [exists 1; split; [lra | easy] |].
  destruct (IH (fun x H => M x (or_intror H))) as (c & P & Q). pose proof (M z (or_introl eq_refl)).
  exists (Rmin c ⟨w, z⟩). split; [now apply Rmin_glb_lt |]. intros x [<- | I]; [apply Rmin_r |].
  apply (Rle_trans _ c); [apply Rmin_l | auto].
Qed.

(** ** The half of Gordan's theorem that proves inseparability *)
Theorem contradiction rows λ : multipliers rows λ -> ‖(weighted λ rows)‖ = 0 ->
  forall w, ~ (forall z, In z rows -> 0 < ⟨w, z⟩).
Proof.
  intros (L & N & P) Z w M. destruct (least_score w rows M) as (c & Q & B).
  pose proof (weighted_at_least w c rows λ B L N).
  pose proof (inner_at_most _ w (weighted λ rows)). rewrite Z in *. nra.
Qed.

(** ** Each λ bounds γ from above, each w from below *)
Theorem upper_bound rows λ w g : multipliers rows λ -> has_margin (data_of rows) w g ->
  g <= ‖(weighted λ rows)‖ / sum λ.
Proof.
  intros (L & N & P) (W & M). pose proof (weighted_at_least w (g * ‖w‖) rows λ M L N).
  pose proof (inner_at_most _ w (weighted λ rows)).
  apply (Rmult_le_reg_r (sum λ)); [easy |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  apply (Rmult_le_reg_l ‖w‖); lra.
Qed.

Theorem margin_upper_bound rows λ γ : multipliers rows λ -> margin rows γ -> γ <= ‖(weighted λ rows)‖ / sum λ.
Proof. intros L [_ M]. apply M. intros g [w W]. now apply (upper_bound rows λ w). Qed.

Theorem margin_lower_bound rows w γ g : has_margin (data_of rows) w g -> margin rows γ -> g <= γ.
Proof. intros W [M _]. apply M. now exists w. Qed.

(** ** What Verify checks *)
Record separation := {
  separable : Prop; hyperplane : E; lower : R; upper : R; radius : R; multiplier : list R
}.

Definition verified rows (s : separation) :=
  (forall z, In z rows -> ‖z‖ <= radius s) /\
  has_margin (data_of rows) (hyperplane s) (lower s) /\
  (multipliers rows (multiplier s) /\ ‖(weighted (multiplier s) rows)‖ <= upper s * sum (multiplier s)) /\
  (separable s <-> 0 < lower s).

(** A Separation that Verify accepts is true. *)
Theorem verified_true rows s γ : verified rows s -> margin rows γ ->
  lower s <= γ <= upper s /\ (separable s -> forall z, In z rows -> 0 < ⟨hyperplane s, z⟩) /\
  (upper s = 0 -> forall w, ~ (forall z, In z rows -> 0 < ⟨w, z⟩)).
Proof.
  intros (_ & W & (L & U) & S) M. repeat split.
  - now apply (margin_lower_bound rows (hyperplane s)).
  - apply (Rle_trans _ _ _ (margin_upper_bound _ _ _ L M)). destruct L as (_ & _ & P).
    apply (Rmult_le_reg_r (sum (multiplier s))); [easy |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - intros Q z I. destruct W as [W H]. specialize (H z I). apply S in Q. nra.
  - intros Z. apply (contradiction _ (multiplier s)); [easy |]. rewrite Z in U.
    pose proof (norm_nonneg _ (weighted (multiplier s) rows)). lra.
Qed.

(** So its MistakeBound holds for every run from zero. *)
Theorem verified_mistakes rows s η zs w : 0 < η -> verified rows s -> separable s -> 0 <= radius s ->
  run η (data_of rows) zero mistakes zs w -> count zs <= (radius s / lower s) ^ 2.
Proof.
  intros P (R & (W & M) & _ & S) Q N H. apply S in Q.
  apply (novikoff _ η (data_of rows) P (hyperplane s) (lower s) (radius s) zs w); [now split | now split | exact H].
Qed.

(** ** The examples that a run updated on, each with λ = 1, prove its Upper *)
Theorem run_multipliers η data θ zs w g u : 0 < η -> run η data zero θ zs w -> 0 < count zs ->
  has_margin (data_of zs) u g -> g <= ‖w‖ / (η * count zs).
Proof.
  intros P H K [U M]. pose proof (run_sum _ _ _ _ _ _ _ H u) as S. rewrite inner_zero_r in S.
  pose proof (total_at_least _ u (g * ‖u‖) zs M). pose proof (inner_at_most _ u w).
  apply (Rmult_le_reg_r (η * count zs)); [nra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra.
  assert (η * (count zs * (g * ‖u‖)) <= η * ⟨u, total zs⟩) by (apply Rmult_le_compat_l; lra).
  apply (Rmult_le_reg_l ‖u‖); nra.
Qed.
End Separation.
