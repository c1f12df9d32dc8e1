(** The sharper form of the bound for Margin's rule with γ′, from zero. For ρ = γ′/γ and τ = k(γ/R)²
    it is exp(ρ(2 − ρ)τ/2) ≤ 1 + ρτ. Coq's logarithm needs one axiom more than its exponential, so
    the latter stands here. *)

From Perceptron Require Import Space Online Threshold.
Require Import Lra Psatz.

(** ** The exponential *)
Lemma exp_series x : Un_cv (fun n => sum_f_R0 (fun i => / INR (fact i) * x ^ i) n) (exp x).
Proof. unfold exp. destruct (exist_exp x) as [l H]. exact H. Qed.

Lemma exp_least x : 0 <= x -> 1 + x + x ^ 2 / 2 <= exp x.
Proof.
  intros P. pose proof (sum_incr (fun i => / INR (fact i) * x ^ i) 2 (exp x) (exp_series x)) as H.
  simpl in H. assert (Q : forall n, 0 <= / INR (fact n) * x ^ n).
  { intros n. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | now apply pow_le]. }
  specialize (H Q). lra.
Qed.

Lemma exp_rises x y : x <= y -> exp x <= exp y.
Proof.
  intros L. replace y with (x + (y - x)) by ring. rewrite exp_plus. pose proof (exp_least (y - x) ltac:(lra)).
  pose proof (exp_pos x). pose proof (pow2_ge_0 (y - x)). nra.
Qed.

Lemma exp_most y : 0 <= y < 1 -> exp y * (1 - y) <= 1.
Proof.
  intros [P L]. assert (B : forall n, (1 - y) * sum_f_R0 (fun i => / INR (fact i) * y ^ i) n <= 1 - y ^ S n).
  { induction n as [| n IH]; [simpl; lra |]. rewrite tech5, Rmult_plus_distr_l.
    assert (F : / INR (fact (S n)) <= 1).
    { rewrite <- Rinv_1. apply Rinv_le_contravar; [lra |]. change 1 with (INR 1). apply le_INR, lt_O_fact. }
    assert (Q : 0 <= y ^ S n) by now apply pow_le.
    assert (/ INR (fact (S n)) * y ^ S n <= y ^ S n) by nra.
    assert ((1 - y) * (/ INR (fact (S n)) * y ^ S n) <= (1 - y) * y ^ S n) by (apply Rmult_le_compat_l; lra).
    change (y ^ S (S n)) with (y * y ^ S n). lra. }
  assert (M : exp y <= / (1 - y)).
  { apply (@Rle_cv_lim (fun n => sum_f_R0 (fun i => / INR (fact i) * y ^ i) n) (fun _ => / (1 - y))).
    - intros n. apply (Rmult_le_reg_l (1 - y)); [lra |]. rewrite Rinv_r by lra. apply (Rle_trans _ _ _ (B n)).
      pose proof (pow_le y (S n) P). lra.
    - apply exp_series.
    - intros e E. exists 0%nat. intros. now rewrite R_dist_eq. }
  apply (Rmult_le_compat_r (1 - y)) in M; [| lra]. rewrite Rinv_l in M; lra.
Qed.

(** exp(x − x²/2) ≤ 1 + x, but for a factor that tends to 1: each square root halves its exponent. *)
Lemma exp_nearly n : forall x, 0 <= x -> exp (x - x ^ 2 / 2) <= (1 + x) * exp (x ^ 2 / 2 ^ S n).
Proof.
  induction n as [| n IH]; intros x P.
  - replace (x - x ^ 2 / 2) with (x - x ^ 2 + x ^ 2 / 2 ^ 1) by (simpl; field). rewrite exp_plus.
    apply Rmult_le_compat_r; [left; apply exp_pos |]. destruct (Rle_lt_dec 1 x) as [L | L].
    + pose proof (exp_rises (x - x ^ 2) 0 ltac:(nra)) as H. rewrite exp_0 in H. lra.
    + assert (B : 0 <= x - x ^ 2 < 1) by nra. pose proof (exp_most _ B). pose proof (exp_pos (x - x ^ 2)).
      assert (0 <= x ^ 3) by now apply pow_le. nra.
  - set (u := sqrt (1 + x) - 1). assert (S1 : 1 <= sqrt (1 + x)) by (rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; lra).
    assert (U : 0 <= u) by (unfold u; lra).
    assert (X : x = 2 * u + u ^ 2) by (unfold u; pose proof (sqrt_sqrt (1 + x) ltac:(lra)); nra).
    specialize (IH u U). pose proof (exp_pos (u - u ^ 2 / 2)).
    apply (Rle_trans _ (exp (u - u ^ 2 / 2) * exp (u - u ^ 2 / 2))).
    + rewrite <- exp_plus. apply exp_rises. rewrite X. assert (0 <= u ^ 3) by now apply pow_le. nra.
    + apply (Rle_trans _ ((1 + u) * exp (u ^ 2 / 2 ^ S n) * ((1 + u) * exp (u ^ 2 / 2 ^ S n)))); [apply Rmult_le_compat; lra |].
      replace (_ * _) with ((1 + x) * (exp (u ^ 2 / 2 ^ S n) * exp (u ^ 2 / 2 ^ S n))) by (rewrite X; ring).
      rewrite <- exp_plus. apply Rmult_le_compat_l; [lra |]. apply exp_rises.
      assert (0 < 2 ^ S n) by (apply pow_lt; lra). change (2 ^ S (S n)) with (2 * 2 ^ S n).
      replace (x ^ 2 / (2 * 2 ^ S n)) with (x ^ 2 / 2 * / 2 ^ S n) by (field; lra).
      replace (u ^ 2 / 2 ^ S n + u ^ 2 / 2 ^ S n) with (2 * u ^ 2 * / 2 ^ S n) by (field; lra).
      apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat |]. rewrite X. assert (0 <= u ^ 3) by now apply pow_le.
      assert (0 <= u ^ 4) by now apply pow_le. nra.
Qed.

Lemma INR_power n : INR n <= 2 ^ n.
Proof.
  induction n as [| n IH]; [simpl; lra |]. rewrite S_INR. simpl. assert (1 <= 2 ^ n) by (apply pow_R1_Rle; lra). lra.
Qed.

Lemma exp_below x : 0 <= x -> exp (x - x ^ 2 / 2) <= 1 + x.
Proof.
  intros P. apply Rnot_lt_le. intros L. set (e := exp (x - x ^ 2 / 2)) in *.
  assert (X : 0 <= x ^ 2) by apply pow2_ge_0. assert (E : 0 < e * (x ^ 2 + 1)) by nra.
  destruct (archimed_cor1 ((e - (1 + x)) / (e * (x ^ 2 + 1)))) as (n & N & Q); [apply Rdiv_lt_0_compat; lra |].
  assert (I : 0 < INR n) by now apply lt_0_INR. set (z := x ^ 2 / 2 ^ S n).
  assert (W : 0 < 2 ^ S n) by (apply pow_lt; lra).
  assert (Y : INR n <= 2 ^ S n) by (pose proof (INR_power n); simpl; lra).
  assert (Z : 0 <= z <= x ^ 2 * / INR n).
  { unfold z, Rdiv. split; [apply Rmult_le_pos; [exact X | left; now apply Rinv_0_lt_compat] |].
    apply Rmult_le_compat_l; [exact X |]. now apply Rinv_le_contravar. }
  assert (V : e * (x ^ 2 + 1) * / INR n < e - (1 + x)).
  { apply (Rmult_lt_compat_l (e * (x ^ 2 + 1))) in N; [| exact E].
    replace (e * (x ^ 2 + 1) * ((e - (1 + x)) / (e * (x ^ 2 + 1)))) with (e - (1 + x)) in N by (field; nra). exact N. }
  assert (J : 0 < / INR n) by now apply Rinv_0_lt_compat.
  assert (T : e * z < e - (1 + x)) by nra.
  assert (z < 1) by nra.
  pose proof (exp_nearly n x P) as G. fold e z in G. pose proof (exp_most z ltac:(lra)). pose proof (exp_pos z).
  assert (e * (1 - z) <= 1 + x) by nra. lra.
Qed.

(** ** The rule *)

(** The measure of a length, in units of R²/γ′. *)
Definition measure a := exp a / (1 + a).

Lemma measure_rises a b : 0 <= a <= b -> measure a <= measure b.
Proof.
  intros [A B]. unfold measure. apply (Rmult_le_reg_r ((1 + a) * (1 + b))); [nra |].
  replace (exp a / (1 + a) * _) with (exp a * (1 + b)) by (field; lra).
  replace (exp b / (1 + b) * _) with (exp b * (1 + a)) by (field; lra).
  replace b with (a + (b - a)) at 2 by ring. rewrite exp_plus, Rmult_assoc.
  apply Rmult_le_compat_l; [left; apply exp_pos |]. pose proof (exp_least (b - a) ltac:(lra)). pose proof (pow2_ge_0 (b - a)). nra.
Qed.

(** An update multiplies it by at most exp c, if b² ≤ a² + 2c(1 + a). *)
Lemma measure_step a b c : 0 <= a -> 0 <= b -> 0 <= c -> b ^ 2 <= a ^ 2 + 2 * c * (1 + a) ->
  measure b <= measure a * exp c.
Proof.
  intros A B C H.
  assert (M : 0 < measure a) by (apply Rdiv_lt_0_compat; [apply exp_pos | lra]).
  destruct (Rle_lt_dec b a) as [L | L].
  { pose proof (measure_rises b a ltac:(lra)). pose proof (exp_rises 0 c C) as D. rewrite exp_0 in D. nra. }
  set (x := (b - a) / (1 + a)).
  assert (X : b = a + x * (1 + a)) by (unfold x; field; lra).
  assert (P : 0 <= x) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (D : x * (2 * a + x * (1 + a)) <= 2 * c).
  { apply (Rmult_le_reg_r (1 + a)); [lra |]. rewrite X in H. nra. }
  assert (G : exp (b - a) <= (1 + x) * exp c).
  { apply (Rle_trans _ (exp (x - x ^ 2 / 2) * exp c)).
    - rewrite <- exp_plus. apply exp_rises. assert (0 <= x ^ 2 * a) by (apply Rmult_le_pos; [apply pow2_ge_0 | lra]). rewrite X. nra.
    - apply Rmult_le_compat_r; [left; apply exp_pos | now apply exp_below]. }
  unfold measure. replace (1 + b) with ((1 + a) * (1 + x)) by (rewrite X; ring).
  replace (exp b) with (exp a * exp (b - a)) by (rewrite <- exp_plus; f_equal; ring).
  apply (Rmult_le_reg_r ((1 + a) * (1 + x))); [nra |].
  replace (exp a * exp (b - a) / _ * _) with (exp a * exp (b - a)) by (field; lra).
  replace (exp a / (1 + a) * exp c * _) with (exp a * ((1 + x) * exp c)) by (field; lra).
  apply Rmult_le_compat_l; [left; apply exp_pos | exact G].
Qed.

Section Sharp.
Variables (E : space) (η : R) (data : E -> Prop).
Hypothesis η_positive : 0 < η.

(** So after k updates the measure of ‖w‖ is at most exp(kγ′²/(2R²)). *)
Lemma measured r γ' zs w : 0 < r -> within data r -> 0 < γ' -> run η data zero (relative E γ') zs w ->
  measure (γ' * ‖w‖ / (η * r ^ 2)) <= exp (count zs * (γ' ^ 2 / (2 * r ^ 2))).
Proof.
  intros R [_ L] G. set (s := γ' / (η * r ^ 2)).
  assert (Q : 0 < r ^ 2) by nra. assert (S : 0 < s) by (apply Rdiv_lt_0_compat; nra).
  set (c := γ' ^ 2 / (2 * r ^ 2)). assert (C : 0 < c) by (apply Rdiv_lt_0_compat; nra).
  assert (T : s ^ 2 * (η ^ 2 * r ^ 2) = 2 * c) by (unfold s, c; field; lra).
  assert (V : s ^ 2 * (η * γ') = 2 * c * s) by (unfold s, c; field; lra).
  replace (γ' * ‖w‖ / (η * r ^ 2)) with (s * ‖w‖) by (unfold s; field; lra).
  induction 1 as [| zs w z H IH D U].
  - rewrite count_nil, norm_zero. unfold measure. rewrite Rmult_0_r, Rplus_0_r, Rmult_0_l, exp_0. lra.
  - rewrite count_cons. pose proof (norm_nonneg _ w) as N. pose proof (norm_nonneg _ (w ⊕ η · z)) as N'.
    replace ((count zs + 1) * c) with (count zs * c + c) by ring. rewrite exp_plus.
    apply (Rle_trans _ (measure (s * ‖w‖) * exp c)); [| apply Rmult_le_compat_r; [left; apply exp_pos | exact IH]].
    apply measure_step; [nra | nra | lra |].
    assert (B : ‖(w ⊕ η · z)‖ ^ 2 <= ‖w‖ ^ 2 + η * γ' * ‖w‖ + η ^ 2 * r ^ 2).
    { rewrite norm_square, square_add, <- !norm_square. unfold relative in U.
      pose proof (L z D). pose proof (norm_nonneg _ z).
      assert (‖z‖ ^ 2 <= r ^ 2) by (apply pow_incr; lra).
      assert (η ^ 2 * ‖z‖ ^ 2 <= η ^ 2 * r ^ 2) by (apply Rmult_le_compat_l; nra).
      assert (2 * η * ⟨w, z⟩ <= 2 * η * (γ' / 2 * ‖w‖)) by (apply Rmult_le_compat_l; lra). lra. }
    apply (Rmult_le_compat_l (s ^ 2)) in B; [| nra].
    replace ((s * ‖(w ⊕ η · z)‖) ^ 2) with (s ^ 2 * ‖(w ⊕ η · z)‖ ^ 2) by ring.
    replace ((s * ‖w‖) ^ 2) with (s ^ 2 * ‖w‖ ^ 2) by ring.
    replace (s ^ 2 * (‖w‖ ^ 2 + η * γ' * ‖w‖ + η ^ 2 * r ^ 2))
      with (s ^ 2 * ‖w‖ ^ 2 + s ^ 2 * (η * γ') * ‖w‖ + s ^ 2 * (η ^ 2 * r ^ 2)) in B by ring.
    rewrite T, V in B. lra.
Qed.

(** The sharper form, for ρ = γ′/γ and τ = k(γ/R)². *)
Theorem margin_sharp u γ r γ' zs w : separates data u γ -> 0 < r -> within data r -> 0 < γ' ->
  run η data zero (relative E γ') zs w ->
  let ρ := γ' / γ in let τ := count zs * (γ / r) ^ 2 in exp (ρ * (2 - ρ) * τ / 2) <= 1 + ρ * τ.
Proof.
  intros S R L G H ρ τ. pose proof (measured r γ' zs w R L G H) as M.
  pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A. rewrite norm_zero in A.
  destruct S as [P _]. pose proof (count_nonneg _ zs) as K. assert (Q : 0 < r ^ 2) by nra.
  assert (X : ρ * τ = γ' * (count zs * (η * γ)) / (η * r ^ 2)) by (unfold ρ, τ; field; lra).
  assert (I : 0 < / (η * r ^ 2)) by (apply Rinv_0_lt_compat; nra).
  assert (N : 0 <= count zs * (η * γ)) by (apply Rmult_le_pos; nra).
  assert (O : 0 <= ρ * τ) by (rewrite X; apply Rmult_le_pos; nra).
  assert (B : measure (ρ * τ) <= exp (count zs * (γ' ^ 2 / (2 * r ^ 2)))).
  { apply (Rle_trans _ (measure (γ' * ‖w‖ / (η * r ^ 2)))); [| exact M]. apply measure_rises.
    split; [exact O |]. rewrite X. apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; lra. }
  replace (count zs * (γ' ^ 2 / (2 * r ^ 2))) with (ρ ^ 2 * τ / 2) in B by (unfold ρ, τ; field; lra).
  unfold measure in B. apply (Rmult_le_compat_r (1 + ρ * τ)) in B; [| lra].
  replace (exp (ρ * τ) / (1 + ρ * τ) * (1 + ρ * τ)) with (exp (ρ * τ)) in B by (field; lra).
  pose proof (exp_pos (ρ ^ 2 * τ / 2)).
  apply (Rmult_le_reg_l (exp (ρ ^ 2 * τ / 2))); [easy |]. rewrite <- exp_plus.
  replace (ρ ^ 2 * τ / 2 + ρ * (2 - ρ) * τ / 2) with (ρ * τ) by field. exact B.
Qed.

(** If t > 0 does not have the inequality strictly, no τ above it has it. *)
Lemma sharp_root ρ t τ : 0 < ρ -> 0 < t -> 1 + ρ * t <= exp (ρ * (2 - ρ) * t / 2) ->
  exp (ρ * (2 - ρ) * τ / 2) <= 1 + ρ * τ -> τ <= t.
Proof.
  intros P T A B. destruct (Rle_lt_dec τ t) as [| L]; [easy | exfalso].
  set (p := ρ * t) in *. set (d := ρ * (τ - t)). set (κ := (2 - ρ) / 2).
  replace (ρ * (2 - ρ) * t / 2) with (κ * p) in A by (unfold κ, p; field).
  replace (ρ * (2 - ρ) * τ / 2) with (κ * p + κ * d) in B by (unfold κ, p, d; field).
  replace (1 + ρ * τ) with (1 + p + d) in B by (unfold p, d; ring). rewrite exp_plus in B.
  assert (0 < p) by (apply Rmult_lt_0_compat; lra). assert (0 < d) by (apply Rmult_lt_0_compat; lra).
  assert (K : 0 < κ).
  { apply Rnot_le_lt. intros N. pose proof (exp_rises (κ * p) 0 ltac:(nra)) as X. rewrite exp_0 in X. lra. }
  assert (0 < κ * d) by now apply Rmult_lt_0_compat.
  pose proof (exp_least (κ * d) ltac:(lra)). assert (0 < (κ * d) ^ 2) by (apply pow_lt; lra).
  pose proof (exp_pos (κ * d)).
  assert (U : (1 + p) * exp (κ * d) <= 1 + p + d) by nra.
  assert (V : (1 + p) * κ < 1) by nra.
  assert (W : κ * p < p / (1 + p)).
  { apply (Rmult_lt_reg_r (1 + p)); [lra |]. replace (p / (1 + p) * (1 + p)) with p by (field; lra). nra. }
  assert (Y : 0 <= p / (1 + p) < 1).
  { split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra] |].
    apply (Rmult_lt_reg_r (1 + p)); [lra |]. replace (p / (1 + p) * (1 + p)) with p by (field; lra). lra. }
  pose proof (exp_most _ Y) as Z. replace (1 - p / (1 + p)) with (/ (1 + p)) in Z by (field; lra).
  assert (Z2 : exp (p / (1 + p)) <= 1 + p).
  { apply (Rmult_le_reg_r (/ (1 + p))); [apply Rinv_0_lt_compat; lra |]. rewrite Rinv_r; lra. }
  set (r := p / (1 + p) - κ * p). assert (0 < r) by (unfold r; lra).
  replace (p / (1 + p)) with (κ * p + r) in Z2 by (unfold r; ring). rewrite exp_plus in Z2.
  pose proof (exp_least r ltac:(lra)). pose proof (pow2_ge_0 r). pose proof (exp_pos (κ * p)). nra.
Qed.

(** So k ≤ t(R/γ)² for the t of any ρ; the least such t is the positive root of 1 + ρt = exp(ρ(2 − ρ)t/2). *)
Theorem margin_sharp_bound u γ r γ' t zs w : separates data u γ -> 0 < r -> within data r -> 0 < γ' -> 0 < t ->
  1 + γ' / γ * t <= exp (γ' / γ * (2 - γ' / γ) * t / 2) ->
  run η data zero (relative E γ') zs w -> count zs <= t * (r / γ) ^ 2.
Proof.
  intros S R L G T A H. pose proof (margin_sharp _ _ _ _ _ _ S R L G H) as B. destruct S as [P _]. simpl in B.
  apply (sharp_root _ t) in B; [| now apply Rdiv_lt_0_compat | exact T | exact A].
  assert (I : 0 < (r / γ) ^ 2) by (apply pow_lt, Rdiv_lt_0_compat; lra).
  apply (Rmult_le_compat_r ((r / γ) ^ 2)) in B; [| lra].
  replace (count zs) with (count zs * (γ / r) ^ 2 * (r / γ) ^ 2) by (field; lra). exact B.
Qed.

(** Such t exist if γ′ < 2γ. *)
Theorem margin_sharp_exists ρ : 0 < ρ < 2 -> exists t, 0 < t /\ 1 + ρ * t <= exp (ρ * (2 - ρ) * t / 2).
Proof.
  intros P. set (c := ρ * (2 - ρ)). assert (C : 0 < c) by (apply Rmult_lt_0_compat; lra).
  exists (16 * ρ / c ^ 2). assert (T : 0 < 16 * ρ / c ^ 2) by (apply Rdiv_lt_0_compat; [lra | now apply pow_lt]). split; [exact T |].
  set (t := 16 * ρ / c ^ 2) in *. replace (c * t / 2) with (c * t / 4 + c * t / 4) by field. rewrite exp_plus.
  assert (X : 0 < c * t) by now apply Rmult_lt_0_compat. pose proof (exp_least (c * t / 4) ltac:(lra)) as H. pose proof (pow2_ge_0 (c * t / 4)).
  assert (Q : c ^ 2 * t = 16 * ρ) by (unfold t; field; lra).
  assert (S : (1 + c * t / 4) * (1 + c * t / 4) <= exp (c * t / 4) * exp (c * t / 4)) by (apply Rmult_le_compat; lra).
  apply (Rle_trans _ _ _) with (2 := S). replace ((1 + c * t / 4) * (1 + c * t / 4)) with (1 + c * t / 2 + c ^ 2 * t * t / 16) by field.
  rewrite Q. replace (16 * ρ * t / 16) with (ρ * t) by field. lra.
Qed.

Lemma squared c d x : 0 <= c -> d <= c * c -> c <= exp x -> d <= exp (2 * x).
Proof. intros P D X. replace (2 * x) with (x + x) by ring. rewrite exp_plus. pose proof (exp_pos x). nra. Qed.

(** exp 1.2565 ≥ 3.513, by 17 squares of 1 + 1.2565/2¹⁷. *)
Lemma exp_12565 : 3513 / 1000 <= exp (12565 / 10000).
Proof.
  pose proof (exp_least (12565 / 10000 / 2 ^ 17) ltac:(lra)) as H.
  assert (E0 : 500004793167 / 500000000000 <= exp (12565 / 10000 / 2 ^ 17)) by lra.
  assert (E1 : 1000019172759 / 1000000000000 <= exp (2 ^ 1 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 1 * (12565 / 10000 / 2 ^ 17)) with (2 * (12565 / 10000 / 2 ^ 17)) by field. apply (squared (500004793167 / 500000000000)); [lra | lra | exact E0]. }
  assert (E2 : 200007669177 / 200000000000 <= exp (2 ^ 2 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 2 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 1 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (1000019172759 / 1000000000000)); [lra | lra | exact E1]. }
  assert (E3 : 25001917331 / 25000000000 <= exp (2 ^ 3 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 3 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 2 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (200007669177 / 200000000000)); [lra | lra | exact E2]. }
  assert (E4 : 1000153392361 / 1000000000000 <= exp (2 ^ 4 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 4 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 3 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (25001917331 / 25000000000)); [lra | lra | exact E3]. }
  assert (E5 : 1000306808251 / 1000000000000 <= exp (2 ^ 5 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 5 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 4 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (1000153392361 / 1000000000000)); [lra | lra | exact E4]. }
  assert (E6 : 1000613710633 / 1000000000000 <= exp (2 ^ 6 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 6 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 5 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (1000306808251 / 1000000000000)); [lra | lra | exact E5]. }
  assert (E7 : 500613898953 / 500000000000 <= exp (2 ^ 7 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 7 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 6 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (1000613710633 / 1000000000000)); [lra | lra | exact E6]. }
  assert (E8 : 1002457103299 / 1000000000000 <= exp (2 ^ 8 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 8 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 7 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (500613898953 / 500000000000)); [lra | lra | exact E7]. }
  assert (E9 : 502460121977 / 500000000000 <= exp (2 ^ 9 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 9 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 8 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (1002457103299 / 1000000000000)); [lra | lra | exact E8]. }
  assert (E10 : 252466174177 / 250000000000 <= exp (2 ^ 10 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 10 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 9 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (502460121977 / 500000000000)); [lra | lra | exact E9]. }
  assert (E11 : 1019826705657 / 1000000000000 <= exp (2 ^ 11 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 11 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 10 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (252466174177 / 250000000000)); [lra | lra | exact E10]. }
  assert (E12 : 1040046509571 / 1000000000000 <= exp (2 ^ 12 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 12 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 11 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (1019826705657 / 1000000000000)); [lra | lra | exact E11]. }
  assert (E13 : 108169674207 / 100000000000 <= exp (2 ^ 13 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 13 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 12 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (1040046509571 / 1000000000000)); [lra | lra | exact E12]. }
  assert (E14 : 292516960451 / 250000000000 <= exp (2 ^ 14 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 14 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 13 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (108169674207 / 100000000000)); [lra | lra | exact E13]. }
  assert (E15 : 1369058754423 / 1000000000000 <= exp (2 ^ 15 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 15 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 14 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (292516960451 / 250000000000)); [lra | lra | exact E14]. }
  assert (E16 : 937160936531 / 500000000000 <= exp (2 ^ 16 * (12565 / 10000 / 2 ^ 17))).
  { replace (2 ^ 16 * (12565 / 10000 / 2 ^ 17)) with (2 * (2 ^ 15 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (1369058754423 / 1000000000000)); [lra | lra | exact E15]. }
  replace (12565 / 10000) with (2 * (2 ^ 16 * (12565 / 10000 / 2 ^ 17))) by field. apply (squared (937160936531 / 500000000000)); [lra | lra | exact E16].
Qed.

(** For γ′ = γ, k ≤ 2.513(R/γ)². *)
Theorem margin_sharp_equal u γ r zs w : separates data u γ -> 0 < r -> within data r ->
  run η data zero (relative E γ) zs w -> count zs <= 2513 / 1000 * (r / γ) ^ 2.
Proof.
  intros S R L H. assert (P : 0 < γ) by apply S. apply (margin_sharp_bound u γ r γ _ zs w); auto; [lra |].
  replace (γ / γ) with 1 by (field; lra). replace (1 + 1 * (2513 / 1000)) with (3513 / 1000) by lra.
  replace (1 * (2 - 1) * (2513 / 1000) / 2) with (12565 / 10000) by lra. apply exp_12565.
Qed.
End Sharp.
