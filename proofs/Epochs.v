(** Several classes in T epochs, on data that is not separable. *)

From Perceptron Require Import Space Online Multiclass.
Require Import Lra Psatz Permutation.

(** Σ f over a list. *)
Definition over {A} (f : A -> R) (l : list A) := fold_right (fun e s => f e + s) 0 l.

Lemma over_app A (f : A -> R) l k : over f (l ++ k) = over f l + over f k.
Proof. unfold over. induction l as [| e l IH]; cbn [app fold_right]; [ring | rewrite IH; ring]. Qed.

Lemma over_permuted A (f : A -> R) l k : Permutation l k -> over f l = over f k.
Proof. unfold over. induction 1; cbn [fold_right]; lra. Qed.

Lemma over_repeated A (f : A -> R) l T : over f (concat (repeat l T)) = INR T * over f l.
Proof. induction T as [| T IH]; [cbn; ring |]. cbn [repeat concat]. rewrite over_app, IH, S_INR. ring. Qed.

Lemma over_nonneg A (f : A -> R) l : (forall e, 0 <= f e) -> 0 <= over f l.
Proof. unfold over. intros P. induction l as [| e l IH]; cbn [fold_right]; [lra |]. specialize (P e). lra. Qed.

(** If f is at least 0, those in T epochs have at most T times the sum. *)
Lemma over_epochs A (f : A -> R) T rows some others : (forall e, 0 <= f e) ->
  Permutation (some ++ others) (concat (repeat rows T)) -> over f some <= INR T * over f rows.
Proof.
  intros P Q. rewrite <- over_repeated, <- (over_permuted _ f _ _ Q), over_app.
  pose proof (over_nonneg _ f others P). lra.
Qed.

Section Epochs.
Variables (E : space) (K : nat) (η : R) (example : E -> nat -> Prop).
Hypothesis η_positive : 0 < η.
Hypothesis classes : forall x y, example x y -> (y < K)%nat.

(** The row and the class of an update, without the rival. *)
Definition labelled (t : triple E) := (row E t, class E t).

(** worst is at least the d of an example with any rival. *)
Definition worst_case (U : stack E K) γ (worst : E * nat -> R) := forall x y q,
  (q < K)%nat -> q <> y -> lack (stack E K) U γ (kesler x y q) <= worst (x, y).

Lemma lacks_at_most U γ worst θ ts W : (forall e, 0 <= worst e) -> worst_case U γ worst ->
  multi_run E K η example zero θ ts W ->
  sum_lacks (stack E K) U γ (map (stacked E K) ts) <= over worst (map labelled ts) /\
  sum_squared_lacks (stack E K) U γ (map (stacked E K) ts) <= over (fun e => worst e ^ 2) (map labelled ts).
Proof.
  intros P C. unfold sum_lacks, sum_squared_lacks, over.
  induction 1 as [| ts W x y q _ [A B] X Q N _]; cbn [map fold_right]; [lra |].
  pose proof (C x y q Q N) as L. unfold stacked at 1 3, labelled at 1 3. cbn [row class rival].
  assert (0 <= lack (stack E K) U γ (kesler x y q)) by apply Rmax_l.
  pose proof (pow_incr _ _ 2 (conj H L)). lra.
Qed.

Theorem multiclass_inseparable_epochs U γ r T rows others worst ts W : 0 < γ -> ‖U‖ = 1 ->
  multi_within E example r -> (forall e, 0 <= worst e) -> worst_case U γ worst ->
  Permutation (map labelled ts ++ others) (concat (repeat rows T)) ->
  multi_run E K η example zero (multi_mistakes E K) ts W ->
  count ts <= ((sqrt 2 * r + sqrt (INR T) * sqrt (over (fun e => worst e ^ 2) rows)) / γ) ^ 2 /\
  count ts <= ((sqrt 2 * r + sqrt ((sqrt 2 * r) ^ 2 + 4 * γ * (INR T * over worst rows))) / (2 * γ)) ^ 2.
Proof.
  intros P N L F C Q H. destruct (lacks_at_most _ _ _ _ _ _ F C H) as [A B].
  pose proof (over_epochs _ worst T rows _ _ F Q) as A2.
  pose proof (over_epochs _ (fun e => worst e ^ 2) T rows _ _ (fun e => pow2_ge_0 (worst e)) Q) as B2.
  destruct (multiclass_inseparable_bound E K η η_positive example classes U γ r ts W P N L H) as [C1 C2].
  assert (0 <= sqrt 2 * r) by (apply Rmult_le_pos; [apply sqrt_pos | apply L]).
  split.
  - apply (Rle_trans _ _ _ C1). rewrite <- sqrt_mult_alt by apply pos_INR.
    set (D := sum_squared_lacks _ _ _ _) in *. pose proof (sqrt_pos D).
    assert (sqrt D <= sqrt (INR T * over (fun e => worst e ^ 2) rows)) by (apply sqrt_le_1_alt; lra).
    assert (0 < / γ) by now apply Rinv_0_lt_compat.
    apply pow_incr. unfold Rdiv. split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra].
  - apply (Rle_trans _ _ _ C2). set (S := sum_lacks _ _ _ _) in *.
    assert (4 * γ * S <= 4 * γ * (INR T * over worst rows)) by (apply Rmult_le_compat_l; lra).
    pose proof (sqrt_pos ((sqrt 2 * r) ^ 2 + 4 * γ * S)).
    assert (sqrt ((sqrt 2 * r) ^ 2 + 4 * γ * S) <= sqrt ((sqrt 2 * r) ^ 2 + 4 * γ * (INR T * over worst rows))) by (apply sqrt_le_1_alt; lra).
    assert (0 < / (2 * γ)) by (apply Rinv_0_lt_compat; lra).
    apply pow_incr. unfold Rdiv. split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra].
Qed.
End Epochs.
