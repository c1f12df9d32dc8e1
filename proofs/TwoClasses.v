(** Kesler's construction with two classes, 0 for −1 and 1 for +1, is the binary rule:
    w₁ = −w₀ = w. A binary threshold θ becomes 2θ, so a run of either makes the same
    updates. *)

From Perceptron Require Import Space Online Threshold Multiclass.
Require Import Lra Psatz Lia.

Section TwoClasses.
Variables (E : space) (η : R) (example : E -> nat -> Prop).
Hypothesis two : forall x y, example x y -> (y < 2)%nat.

(** The binary example of (x, y). *)
Definition signed (x : E) (y : nat) : E := if Nat.eqb y 0 then -1 · x else 1 · x.
Definition binary (z : E) := exists x y, example x y /\ z = signed x y.

Definition related (w : E) (W : stack E 2) := forall v, ⟨W 0%nat, v⟩ = - ⟨w, v⟩ /\ ⟨W 1%nat, v⟩ = ⟨w, v⟩.

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

(** The rules agree if the threshold there is twice the binary one on the same examples. *)
Definition binary_of (t : triple E) : E := signed (row E t) (class E t).
Definition twice (θ : list E -> E -> R) (Θ : list (triple E) -> stack E 2 -> R) :=
  forall ts w W, related w W -> Θ ts W = 2 * θ (map binary_of ts) w.

(** Then every binary run is a run with two classes that updates on the same examples
    in the same order, and the other way round. *)
Theorem two_classes_from_binary θ Θ zs w : twice θ Θ -> run η binary zero θ zs w ->
  exists ts W, multi_run E 2 η example zero Θ ts W /\ map binary_of ts = zs /\ related w W.
Proof.
  intros A. induction 1 as [| zs w z _ (ts & W & H & L & Q) (x & y & X & ->) T].
  - exists [], zero. split; [constructor | split; [easy |]]. intros v. simpl. rewrite inner_zero. lra.
  - exists (Build_triple E x y (1 - y) :: ts), (W ⊕ η · kesler x y (1 - y)). pose proof (two x y X).
    assert ((1 - y < 2) /\ (1 - y <> y))%nat as [C D] by lia.
    split; [| split; [cbn [map]; now rewrite L | now apply two_classes_update]]. constructor; auto.
    rewrite (two_classes_score w W x y), (A ts w W), L by auto. lra.
Qed.

Theorem binary_from_two_classes θ Θ ts W : twice θ Θ -> multi_run E 2 η example zero Θ ts W ->
  exists w, run η binary zero θ (map binary_of ts) w /\ related w W.
Proof.
  intros A. induction 1 as [| ts W x y r _ (w & H & Q) X C D T].
  - exists zero. split; [constructor |]. intros v. simpl. rewrite inner_zero. lra.
  - exists (w ⊕ η · signed x y). split; [| now apply two_classes_update].
    cbn [map]. unfold binary_of at 1. constructor; auto.
    + now exists x, y.
    + rewrite (two_classes_score w W x y), (A ts w W) in T by auto. lra.
Qed.

(** The margins agree too: the stacked margin of two classes is √2 times the binary one. *)
Theorem two_classes_norm w W : related w W -> ‖W‖ = sqrt 2 * ‖w‖.
Proof.
  intros Q. unfold norm. rewrite <- sqrt_mult_alt by lra. f_equal. simpl.
  destruct (Q (W 0%nat)) as [A _]. destruct (Q (W 1%nat)) as [_ B]. destruct (Q w) as [C D].
  rewrite A, B, (inner_sym _ w (W 0%nat)), (inner_sym _ w (W 1%nat)), C, D. ring.
Qed.

(** So the three thresholds agree: θ becomes 2θ, γ′ becomes √2γ′, and R_t stays. *)
Lemma norm_signed x y : ‖(signed x y)‖ = ‖x‖.
Proof.
  unfold norm, signed. f_equal. destruct (Nat.eqb y 0); rewrite inner_scale, inner_scale_r; ring.
Qed.

Lemma largest_binary ts : largest E (map binary_of ts) = largest E (map (row E) ts).
Proof. induction ts as [| t ts IH]; simpl; [easy |]. unfold binary_of at 1. now rewrite norm_signed, IH. Qed.

Theorem two_classes_thresholds θ γ' : twice (fixed E θ) (multi_fixed E 2 (2 * θ)) /\
  twice (relative E γ') (multi_relative E 2 (sqrt 2 * γ')) /\
  twice (adaptive E η) (multi_adaptive E 2 η).
Proof.
  split; [easy | split]; intros ts w W Q.
  - unfold multi_relative, relative. rewrite (two_classes_norm w W Q).
    pose proof (sqrt_sqrt 2 ltac:(lra)) as T.
    replace (sqrt 2 * γ' / 2 * (sqrt 2 * ‖w‖)) with (sqrt 2 * sqrt 2 * (γ' / 2 * ‖w‖)) by field. now rewrite T.
  - unfold multi_adaptive, adaptive. rewrite largest_binary. ring.
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
