(** Row 12 with two classes, 0 for +1 and 1 for −1, is the binary rule: w₀ = −w₁ = w. A
    threshold θ here is 2θ there, so a run of either makes the same updates. *)

From Perceptron Require Import Space Online Threshold Multiclass.
Require Import Lra Psatz Lia.

Section TwoClasses.
Variables (E : space) (η : R) (example : E -> nat -> Prop).
Hypothesis two : forall x y, example x y -> (y < 2)%nat.

(** The binary example of (x, y). *)
Definition signed (x : E) (y : nat) : E := if Nat.eqb y 0 then 1 · x else -1 · x.
Definition binary (z : E) := exists x y, example x y /\ z = signed x y.

Definition related (w : E) (W : stack E 2) := forall v, ⟨W 0%nat, v⟩ = ⟨w, v⟩ /\ ⟨W 1%nat, v⟩ = - ⟨w, v⟩.

Lemma other_class x y r : example x y -> (r < 2)%nat -> r <> y -> (y = 0 /\ r = 1)%nat \/ (y = 1 /\ r = 0)%nat.
Proof. intros X. pose proof (two x y X). lia. Qed.

(** Every score difference is twice the binary score. *)
Theorem two_classes_score w W x y r : related w W -> example x y -> (r < 2)%nat -> r <> y ->
  ⟨W y, x⟩ - ⟨W r, x⟩ = 2 * ⟨w, signed x y⟩.
Proof.
  intros Q X C D. destruct (Q x) as [A B].
  destruct (other_class x y r X C D) as [[-> ->] | [-> ->]]; rewrite A, B; unfold signed; simpl; rewrite inner_scale_r; ring.
Qed.

Lemma two_classes_update w W x y r : related w W -> example x y -> (r < 2)%nat -> r <> y ->
  related (w ⊕ η · signed x y) (W ⊕ η · kesler x y r).
Proof.
  intros Q X C D v. destruct (Q v) as [A B].
  destruct (other_class x y r X C D) as [[-> ->] | [-> ->]]; unfold signed, kesler; simpl;
    rewrite !inner_add, A, B, !inner_scale; split; ring.
Qed.

(** Every binary run is a run with two classes, and the other way round. *)
Theorem two_classes_from_binary θ zs w : run η binary zero (fixed E θ) zs w ->
  exists ts W, multi_run E 2 η example (multi_fixed E 2 (2 * θ)) ts W /\ length ts = length zs /\ related w W.
Proof.
  induction 1 as [| zs w z _ (ts & W & H & L & Q) (x & y & X & ->) T].
  - exists [], zero. split; [constructor | split; [easy |]]. intros v. simpl. rewrite inner_zero. lra.
  - exists (Build_triple E x y (1 - y) :: ts), (W ⊕ η · kesler x y (1 - y)). pose proof (two x y X).
    assert ((1 - y < 2) /\ (1 - y <> y))%nat as [C D] by lia.
    split; [| split; [simpl; congruence | now apply two_classes_update]]. constructor; auto.
    rewrite (two_classes_score w W x y) by auto. unfold fixed, multi_fixed in *. lra.
Qed.

Theorem binary_from_two_classes θ ts W : multi_run E 2 η example (multi_fixed E 2 (2 * θ)) ts W ->
  exists zs w, run η binary zero (fixed E θ) zs w /\ length zs = length ts /\ related w W.
Proof.
  induction 1 as [| ts W x y r _ (zs & w & H & L & Q) X C D T].
  - exists [], zero. split; [constructor | split; [easy |]]. intros v. simpl. rewrite inner_zero. lra.
  - exists (signed x y :: zs), (w ⊕ η · signed x y).
    split; [| split; [simpl; congruence | now apply two_classes_update]]. constructor; auto.
    + now exists x, y.
    + rewrite (two_classes_score w W x y) in T by auto. unfold fixed, multi_fixed in *. lra.
Qed.

(** The margins agree too: the stacked margin of two classes is √2 times the binary one. *)
Theorem two_classes_norm w W : related w W -> ‖W‖ = sqrt 2 * ‖w‖.
Proof.
  intros Q. unfold norm. rewrite <- sqrt_mult_alt by lra. f_equal. simpl.
  destruct (Q (W 0%nat)) as [A _]. destruct (Q (W 1%nat)) as [_ B]. destruct (Q w) as [C D].
  rewrite A, B, (inner_sym _ w (W 0%nat)), (inner_sym _ w (W 1%nat)), C, D. ring.
Qed.

Theorem two_classes_margin w W x y r : related w W -> example x y -> (r < 2)%nat -> r <> y ->
  0 < ‖w‖ -> (⟨W y, x⟩ - ⟨W r, x⟩) / ‖W‖ = sqrt 2 * (⟨w, signed x y⟩ / ‖w‖).
Proof.
  intros Q X C D P. rewrite (two_classes_norm w W Q), (two_classes_score w W x y r Q X C D).
  assert (S : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt 2 ltac:(lra)) as T.
  apply (Rmult_eq_reg_r (sqrt 2 * ‖w‖)); [| nra].
  replace (2 * _ / _ * _) with (2 * ⟨w, signed x y⟩) by (field; lra).
  replace (sqrt 2 * _ * _) with (sqrt 2 * sqrt 2 * ⟨w, signed x y⟩) by (field; lra). now rewrite T.
Qed.
End TwoClasses.
