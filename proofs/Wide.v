(** The bias that Unscale computes, b − Σ wⱼmⱼ/sⱼ, before its last rounding: an arithmetic whose quotients
    and sums have relative errors of at most u, while its products are exact. *)

From Perceptron Require Import Space Online Rounding Models.
Require Import Lra Psatz Lia.

Section Wide.
Variables (plus quotient : R -> R -> R) (u : R).
Hypothesis u_nonneg : 0 <= u.
Hypothesis plus_error : forall a b, Rabs (plus a b - (a + b)) <= u * Rabs (a + b).
Hypothesis quotient_error : forall a b, Rabs (quotient a b - a / b) <= u * Rabs (a / b).

(** The loop of MinusQuotients, and the terms that it adds. *)
Fixpoint minus_quotients (sum : R) (w mean scale : list R) : R := match w, mean, scale with
  | a :: w, m :: mean, s :: scale => minus_quotients (plus sum (- quotient (a * m) s)) w mean scale
  | _, _, _ => sum
  end.
Fixpoint terms (w mean scale : list R) : list R := match w, mean, scale with
  | a :: w, m :: mean, s :: scale => - quotient (a * m) s :: terms w mean scale
  | _, _, _ => []
  end.

Lemma loop_summed w : forall mean scale h xs sum, summed plus h xs sum ->
  summed plus (h + length (terms w mean scale)) (xs ++ terms w mean scale) (minus_quotients sum w mean scale).
Proof.
  induction w as [| a w IH]; intros [| m mean] [| s scale] h xs sum H; cbn; rewrite ?Nat.add_0_r, ?app_nil_r; auto.
  replace (h + S (length (terms w mean scale)))%nat with (S h + length (terms w mean scale))%nat by lia.
  change (- quotient (a * m) s :: terms w mean scale) with ([- quotient (a * m) s] ++ terms w mean scale).
  rewrite app_assoc. apply IH. apply summed_plus; auto. constructor.
Qed.

Lemma terms_close w : forall mean scale,
  Rabs (sum (terms w mean scale) - - shift w mean scale) <= u * magnitude w mean scale /\
  sizes (terms w mean scale) <= (1 + u) * magnitude w mean scale.
Proof.
  induction w as [| a w IH]; intros [| m mean] [| s scale]; cbn; try (rewrite ?Ropp_0, ?Rminus_0_r, Rabs_R0; lra).
  destruct (IH mean scale) as [H1 H2]. pose proof (quotient_error (a * m) s) as Q. unfold sum in *. cbn in *. split.
  - replace (- quotient (a * m) s + fold_right Rplus 0 (terms w mean scale) - - (a * m / s + shift w mean scale))
      with (- (quotient (a * m) s - a * m / s) + (fold_right Rplus 0 (terms w mean scale) - - shift w mean scale)) by ring.
    apply (Rle_trans _ _ _ (Rabs_triang _ _)). rewrite Rabs_Ropp. lra.
  - rewrite Rabs_Ropp. assert (Rabs (quotient (a * m) s) <= Rabs (a * m / s) + u * Rabs (a * m / s)).
    { replace (quotient (a * m) s) with (a * m / s + (quotient (a * m) s - a * m / s)) by ring.
      apply (Rle_trans _ _ _ (Rabs_triang _ _)). lra. }
    unfold sizes in *. lra.
Qed.

Lemma magnitude_nonneg w : forall x scale, 0 <= magnitude w x scale.
Proof.
  induction w as [| a w IH]; intros [| c x] [| s scale]; cbn; try lra. pose proof (Rabs_pos (a * c / s)). pose proof (IH x scale). lra.
Qed.

Theorem wide_error w b mean scale :
  Rabs (minus_quotients b w mean scale - (b - shift w mean scale)) <=
  ((1 + u) ^ S (length (terms w mean scale)) - 1) * (Rabs b + magnitude w mean scale).
Proof.
  set (n := length (terms w mean scale)).
  pose proof (loop_summed w mean scale 0 [b] b (summed_one plus 0 b)) as H. cbn [Nat.add] in H. fold n in H.
  pose proof (sum_error plus u u_nonneg plus_error _ _ _ H) as E.
  destruct (terms_close w mean scale) as [Q1 Q2]. pose proof (magnitude_nonneg w mean scale) as M.
  cbn [app] in E. unfold sum, sizes in *. cbn [fold_right] in E.
  set (q := fold_right Rplus 0 (terms w mean scale)) in *.
  set (z := fold_right (fun x s => Rabs x + s) 0 (terms w mean scale)) in *.
  assert (P : 1 <= (1 + u) ^ n) by (apply pow_R1_Rle; lra). pose proof (Rabs_pos b). cbn [pow].
  replace (minus_quotients b w mean scale - (b - shift w mean scale))
    with ((minus_quotients b w mean scale - (b + q)) + (q - - shift w mean scale)) by ring.
  apply (Rle_trans _ _ _ (Rabs_triang _ _)).
  set (p := (1 + u) ^ n) in *. set (m := magnitude w mean scale) in *. set (ab := Rabs b) in *.
  assert ((p - 1) * z <= (p - 1) * ((1 + u) * m)) by (apply Rmult_le_compat_l; lra).
  assert (0 <= u * p * ab) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]). nra.
Qed.

(** (1 + u)ᵐ − 1 ≤ 2mu if mu ≤ ½. *)
Lemma power_small m : INR m * u <= / 2 -> (1 + u) ^ m - 1 <= 2 * (INR m * u).
Proof.
  intros H. assert (B : forall k, (k <= m)%nat -> (1 + u) ^ k * (1 - INR k * u) <= 1).
  { induction k as [| k IH]; intros L; [cbn; lra |]. specialize (IH ltac:(lia)). rewrite S_INR. cbn [pow].
    assert (0 < (1 + u) ^ k) by (apply pow_lt; lra).
    replace ((1 + u) * (1 + u) ^ k * (1 - (INR k + 1) * u)) with
      ((1 + u) ^ k * (1 - INR k * u) - (1 + u) ^ k * ((INR k + 1) * (u * u))) by ring.
    assert (0 <= (1 + u) ^ k * ((INR k + 1) * (u * u))); [| lra].
    pose proof (pos_INR k). repeat apply Rmult_le_pos; lra. }
  specialize (B m (le_n m)). assert (0 <= INR m * u) by (apply Rmult_le_pos; [apply pos_INR | lra]).
  set (p := (1 + u) ^ m) in *. set (x := INR m * u) in *. nra.
Qed.
End Wide.
