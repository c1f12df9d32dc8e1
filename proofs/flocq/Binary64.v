(** float64 is binary64, rounded to nearest, ties to even, without overflow. What Rounding.v
    and Log.v assume of an arithmetic is proved of it with Flocq (Boldo & Melquiond). *)

Require Import Reals ZArith List Lra Lia.
From Flocq Require Import Core Relative Plus_error.
From Perceptron Require Import Space Online Rounding Log.
Open Scope R_scope.

Definition exponents := FLT_exp (-1074) 53.
Definition binary64 (a : R) := generic_format radix2 exponents a.
Definition rnd (a : R) := round radix2 exponents ZnearestE a.

Lemma precision : Prec_gt_0 53.
Proof. reflexivity. Qed.
Local Existing Instance precision.

Lemma rnd_binary64 a : binary64 (rnd a).
Proof. unfold binary64, rnd, exponents. apply generic_format_round; typeclasses eauto. Qed.

Lemma binary64_rnd a : binary64 a <-> rnd a = a.
Proof.
  split; [| intros <-; apply rnd_binary64]. intros F. unfold rnd, exponents in *. apply round_generic; [typeclasses eauto | exact F].
Qed.

(** Integers up to 2⁵³ stay as they are. *)
Theorem binary64_keeps_integers : keeps_integers rnd.
Proof.
  assert (S : forall n, (Z.abs n < 2 ^ 53)%Z -> binary64 (IZR n)).
  { intros n L. apply (generic_format_FLT radix2 (-1074) 53). exists (Float radix2 n 0); simpl; [unfold F2R; simpl; lra | exact L | lia]. }
  intros n L. apply binary64_rnd. destruct (Z.eq_dec (Z.abs n) (2 ^ 53)) as [Q | Q]; [| apply S; lia].
  assert (B : binary64 (IZR (2 ^ 53))).
  { apply (generic_format_FLT radix2 (-1074) 53). exists (Float radix2 1 53); [unfold F2R; simpl; lra | simpl; lia | simpl; lia]. }
  destruct (Z.abs_eq_or_opp n) as [E | E]; rewrite E in Q; [now rewrite Q |].
  replace n with (- 2 ^ 53)%Z by lia. rewrite opp_IZR. unfold binary64. now apply generic_format_opp.
Qed.

(** The sum of two binary64 numbers, rounded. Of other numbers it is the exact sum; no run
    adds any, as [binary64_run] says. *)
Definition plus64 (a b : R) : R :=
  if Req_EM_T (rnd a) a then if Req_EM_T (rnd b) b then rnd (a + b) else a + b else a + b.
Definition times64 (a b : R) : R := rnd (a * b).

Definition u64 := / IZR (2 ^ 53).
Definition τ64 := / 2 * bpow radix2 (-1074).

Lemma half_ulp : / 2 * bpow radix2 (- (53) + 1) = u64.
Proof. unfold u64. change (bpow radix2 (- (53) + 1)) with (/ IZR (2 ^ 52)). rewrite <- Rinv_mult, <- mult_IZR. reflexivity. Qed.

Theorem binary64_plus_error a b : Rabs (plus64 a b - (a + b)) <= u64 * Rabs (a + b).
Proof.
  assert (P : 0 <= u64 * Rabs (a + b)).
  { apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, IZR_lt; reflexivity | apply Rabs_pos]. }
  unfold plus64. destruct (Req_EM_T (rnd a) a) as [A | A]; [| now rewrite Rminus_diag_eq, Rabs_R0].
  destruct (Req_EM_T (rnd b) b) as [B | B]; [| now rewrite Rminus_diag_eq, Rabs_R0].
  apply binary64_rnd in A, B. unfold rnd, exponents.
  destruct (FLT_plus_error_N_ex radix2 (-1074) 53 (fun x => negb (Z.even x)) a b A B) as (e & E & ->).
  replace ((a + b) * (1 + e) - (a + b)) with (e * (a + b)) by ring. rewrite Rabs_mult.
  apply Rmult_le_compat_r; [apply Rabs_pos |]. apply (Rle_trans _ _ _ E). unfold u_ro. rewrite half_ulp.
  assert (U : 0 < u64) by (apply Rinv_0_lt_compat, IZR_lt; reflexivity).
  apply (Rmult_le_reg_r (1 + u64)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

Theorem binary64_times_error a b : Rabs (times64 a b - a * b) <= u64 * Rabs (a * b) + τ64.
Proof.
  unfold times64, rnd, exponents. destruct (error_N_FLT radix2 (-1074) 53 eq_refl (fun x => negb (Z.even x)) (a * b)) as (e & t & E & T & _ & ->).
  rewrite half_ulp in E. replace (a * b * (1 + e) + t - a * b) with (e * (a * b) + t) by ring.
  apply (Rle_trans _ _ _ (Rabs_triang _ _)). rewrite Rabs_mult. apply Rplus_le_compat; [| exact T].
  apply Rmult_le_compat_r; [apply Rabs_pos | exact E].
Qed.

(** ** The weights and scores of a run are binary64, so it adds binary64 numbers alone *)
Lemma plus64_rounds a b : binary64 a -> binary64 b -> plus64 a b = rnd (a + b).
Proof.
  intros A B. apply binary64_rnd in A, B. unfold plus64. destruct (Req_EM_T (rnd a) a); [| easy]. now destruct (Req_EM_T (rnd b) b).
Qed.

Theorem binary64_run η W d h rows zs w :
  float_run plus64 times64 η W d h rows zs w -> Forall binary64 w.
Proof.
  assert (Z : binary64 0) by apply generic_format_0.
  induction 1 as [| zs w z s v _ IH I _ _ [L ->] _].
  - induction d; simpl; constructor; auto.
  - apply Forall_map, Forall_forall. intros [a b] J. pose proof (in_combine_l _ _ _ _ J) as A. rewrite Forall_forall in IH.
    cbn [fst snd]. rewrite plus64_rounds; [apply rnd_binary64 | now apply IH | apply rnd_binary64].
Qed.

Theorem binary64_score w z h s : summed plus64 h (products times64 w z) s -> binary64 s.
Proof.
  assert (P : forall w z, Forall binary64 (products times64 w z)).
  { clear. induction w as [| a w IH]; intros [| b z]; simpl; constructor; [apply rnd_binary64 | apply IH]. }
  specialize (P w z). set (ps := products times64 w z) in *.
  clearbody ps. intros S. induction S as [h | h x | h xs ys a b _ IHa _ IHb | h xs a _ IH | h xs ys a Q _ IH].
  - apply generic_format_0.
  - now inversion P.
  - apply Forall_app in P as [P1 P2]. rewrite plus64_rounds by auto. apply rnd_binary64.
  - auto.
  - apply IH. rewrite Forall_forall in *. intros x I. apply P. now apply (Permutation.Permutation_in _ Q).
Qed.

(** So the bound of Rounding.v holds for binary64, with u = 2⁻⁵³ and τ = 2⁻¹⁰⁷⁵. *)
Definition binary64_bound := float_bound plus64 times64 u64 τ64
  (Rlt_le _ _ (Rinv_0_lt_compat _ (IZR_lt 0 (2 ^ 53) eq_refl)))
  (Rmult_le_pos _ _ (Rlt_le _ _ (Rinv_0_lt_compat _ Rlt_0_2)) (bpow_ge_0 radix2 (-1074)))
  binary64_plus_error binary64_times_error.

Print Assumptions binary64_keeps_integers.
Print Assumptions binary64_run.
Print Assumptions binary64_score.
Print Assumptions binary64_bound.
