(** The 200 bits of MinusQuotients: Unscale's bias, before it is rounded to float64, has an error of at
    most 2⁻¹⁰⁰ of its terms. The exponents of its numbers have 32 bits, so no result is too large or too
    small: each of at most 2⁹⁸ terms is a quotient of float64 numbers. *)

Require Import Reals ZArith List Lra Lia Psatz.
From Flocq Require Import Core Relative.
From Perceptron Require Import Space Online Rounding Models Wide.
Open Scope R_scope.

Definition wide (a : R) := round radix2 (FLX_exp 200) ZnearestE a.
Definition u200 := / 2 * bpow radix2 (- (200) + 1).

Lemma wide_close a : Rabs (wide a - a) <= u200 * Rabs a.
Proof. unfold wide, u200. now apply (relative_error_N_FLX radix2 200). Qed.

(** A product of two numbers of 53 bits has at most 106, so it stays as it is. *)
Theorem wide_keeps_products a b : generic_format radix2 (FLX_exp 53) a -> generic_format radix2 (FLX_exp 53) b -> wide (a * b) = a * b.
Proof.
  intros A B. unfold wide. apply round_generic; [typeclasses eauto |].
  apply FLX_format_generic in A, B; try reflexivity. destruct A as [f FA FP], B as [g GB GP]. subst.
  apply generic_format_FLX. exists (Float radix2 (Fnum f * Fnum g) (Fexp f + Fexp g)).
  - unfold F2R. cbn [Fnum Fexp]. rewrite mult_IZR, bpow_plus. ring.
  - cbn [Fnum]. rewrite Z.abs_mul. apply (Z.lt_trans _ (radix2 ^ 53 * radix2 ^ 53)); [| reflexivity].
    apply Z.mul_lt_mono_nonneg; auto using Z.abs_nonneg.
Qed.

Lemma u200_is : u200 = / 2 ^ 200.
Proof.
  unfold u200. rewrite bpow_plus. replace (bpow radix2 1) with 2 by (cbn; lra).
  replace (bpow radix2 (- (200))) with (/ 2 ^ 200); [field; apply pow_nonzero; lra |].
  rewrite bpow_opp, <- (IZR_Zpower radix2 200) by lia. f_equal. rewrite pow_IZR. now f_equal.
Qed.

Definition bias200 := minus_quotients (fun a b => wide (a + b)) (fun a b => wide (a / b)).

Theorem bias_error b w mean scale : INR (S (length w)) <= 2 ^ 98 -> length mean = length w -> length scale = length w ->
  Rabs (bias200 b w mean scale - (b - shift w mean scale)) <= / 2 ^ 100 * (Rabs b + magnitude w mean scale).
Proof.
  intros N L1 L2. assert (P : 0 < u200) by (rewrite u200_is; apply Rinv_0_lt_compat, pow_lt; lra).
  pose proof (wide_error _ _ u200 (Rlt_le _ _ P) (fun a b => wide_close (a + b)) (fun a b => wide_close (a / b)) w b mean scale) as E.
  assert (LQ : forall w mean scale, length mean = length w -> length scale = length w ->
    length (terms (fun a b => wide (a / b)) w mean scale) = length w).
  { clear. induction w as [| a w IH]; intros [| m mean] [| s scale] A B; cbn in *; try lia. rewrite IH; lia. }
  rewrite (LQ w mean scale L1 L2) in E.
  assert (H : INR (S (length w)) * u200 <= / 2 ^ 102).
  { rewrite u200_is. replace (/ 2 ^ 102) with (2 ^ 98 * / 2 ^ 200).
    - apply Rmult_le_compat_r; [| exact N]. left. apply Rinv_0_lt_compat, pow_lt. lra.
    - replace 200%nat with (98 + 102)%nat by reflexivity. rewrite pow_add. field; repeat split; apply pow_nonzero; lra. }
  assert (Q : / 2 ^ 102 <= / 2).
  { apply Rinv_le_contravar; [lra |]. change 102%nat with (S 101). cbn [pow]. assert (1 <= 2 ^ 101) by (apply pow_R1_Rle; lra). lra. }
  pose proof (power_small u200 (Rlt_le _ _ P) (S (length w)) ltac:(lra)) as S1.
  assert (T : 2 * / 2 ^ 102 <= / 2 ^ 100).
  { replace 102%nat with (100 + 2)%nat by reflexivity. rewrite pow_add, Rinv_mult. assert (0 < / 2 ^ 100) by (apply Rinv_0_lt_compat, pow_lt; lra).
    cbn [pow]. lra. }
  unfold bias200. apply (Rle_trans _ _ _ E). apply Rmult_le_compat_r; [| lra].
  pose proof (Rabs_pos b). pose proof (magnitude_nonneg w mean scale). lra.
Qed.

(** Scores of raw rows: w′ and b′ are the weights and this bias, each rounded once with a relative error of at most ε. *)
Theorem raw_scores ε w w' b b' x mean scale : INR (S (length w)) <= 2 ^ 98 -> length w = length x -> length mean = length x ->
  length scale = length x -> Forall (fun s => 0 < s) scale -> rounded_weights ε w' w scale ->
  Rabs (b' - bias200 b w mean scale) <= ε * Rabs b' ->
  Rabs (seq_inner w' x + b' - (seq_inner w (standardized x mean scale) + b)) <=
  ε * (magnitude w x scale + Rabs b') + / 2 ^ 100 * (Rabs b + magnitude w mean scale).
Proof.
  intros N L M S P C D. apply (unscale_rounded ε _ w w' b b' (bias200 b w mean scale)); auto. apply bias_error; congruence.
Qed.

Print Assumptions wide_keeps_products.
Print Assumptions raw_scores.
