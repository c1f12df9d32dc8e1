(** The sharp form of the bound for Margin's rule with γ′, from zero. For ρ = γ′/γ and τ = k(γ/R)²
    it is ρ(2 − ρ)τ ≤ 2 ln(1 + ρτ). *)

From Perceptron Require Import Space Online Threshold.
Require Import Lra Psatz.

(** ln(1 + x) ≥ x − x²/2. *)
Lemma ln_at_least x : 0 <= x -> x - x ^ 2 / 2 <= ln (1 + x).
Proof.
  intros [P | <-]; [| rewrite Rplus_0_r, ln_1; lra].
  destruct (MVT_cor2 (fun t => ln (1 + t) - (t - / 2 * t ^ 2)) (fun t => / (1 + t) - (1 - t)) 0 x P) as (c & E & C).
  - intros c C. apply derivable_pt_lim_minus.
    + replace (/ (1 + c)) with (/ (1 + c) * (0 + 1)) by ring.
      apply (derivable_pt_lim_comp (fun t => 1 + t) ln); [| apply derivable_pt_lim_ln; lra].
      apply derivable_pt_lim_plus; [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
    + apply derivable_pt_lim_minus; [apply derivable_pt_lim_id |].
      replace c with (/ 2 * (INR 2 * c ^ 1)) at 2 by (simpl; field).
      apply (derivable_pt_lim_scal (fun t => t ^ 2)), derivable_pt_lim_pow.
  - rewrite Rplus_0_r, ln_1 in E. assert (0 <= / (1 + c) - (1 - c)).
    { replace (/ (1 + c) - (1 - c)) with (c ^ 2 * / (1 + c)) by (field; lra).
      apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; lra]. }
    nra.
Qed.

(** The measure of a length, in units of R²/γ′: a − ln(1 + a). *)
Definition measure a := a - ln (1 + a).

Lemma measure_rises a b : 0 <= a <= b -> measure a <= measure b.
Proof.
  intros [A B]. unfold measure. set (x := (b - a) * / (1 + a)).
  assert (I : 0 < / (1 + a) <= 1) by (split; [apply Rinv_0_lt_compat | rewrite <- Rinv_1; apply Rinv_le_contravar]; lra).
  assert (X : 0 <= x <= b - a) by (unfold x; nra).
  replace (1 + b) with ((1 + a) * (1 + x)) by (unfold x; field; lra). rewrite ln_mult by lra.
  pose proof (exp_ineq1_le (ln (1 + x))) as H. rewrite exp_ln in H; lra.
Qed.

(** An update adds at most c to it, if b² ≤ a² + 2c(1 + a). *)
Lemma measure_step a b c : 0 <= a -> 0 <= b -> 0 <= c -> b ^ 2 <= a ^ 2 + 2 * c * (1 + a) ->
  measure b <= measure a + c.
Proof.
  intros A B C H. destruct (Rle_lt_dec b a) as [L | L].
  { pose proof (measure_rises b a). lra. }
  set (x := (b - a) / (1 + a)).
  assert (X : b = a + x * (1 + a)) by (unfold x; field; lra).
  assert (P : 0 <= x) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  pose proof (ln_at_least x P) as N. unfold measure.
  replace (1 + b) with ((1 + a) * (1 + x)) by (rewrite X; ring). rewrite ln_mult by lra.
  assert (x * (2 * a + x * (1 + a)) <= 2 * c).
  { apply (Rmult_le_reg_r (1 + a)); [lra |]. rewrite X in H. nra. }
  assert (0 <= x ^ 2 * a) by (apply Rmult_le_pos; [apply pow2_ge_0 | lra]). rewrite X. nra.
Qed.

Section Sharp.
Variables (E : space) (η : R) (data : E -> Prop).
Hypothesis η_positive : 0 < η.

(** So after k updates the measure of ‖w‖ is at most kγ′²/(2R²). *)
Lemma measured r γ' zs w : 0 < r -> within data r -> 0 < γ' -> run η data zero (relative E γ') zs w ->
  measure (γ' * ‖w‖ / (η * r ^ 2)) <= count zs * (γ' ^ 2 / (2 * r ^ 2)).
Proof.
  intros R [_ L] G. set (s := γ' / (η * r ^ 2)).
  assert (Q : 0 < r ^ 2) by nra. assert (S : 0 < s) by (apply Rdiv_lt_0_compat; nra).
  set (c := γ' ^ 2 / (2 * r ^ 2)). assert (C : 0 < c) by (apply Rdiv_lt_0_compat; nra).
  assert (T : s ^ 2 * (η ^ 2 * r ^ 2) = 2 * c) by (unfold s, c; field; lra).
  assert (V : s ^ 2 * (η * γ') = 2 * c * s) by (unfold s, c; field; lra).
  replace (γ' * ‖w‖ / (η * r ^ 2)) with (s * ‖w‖) by (unfold s; field; lra).
  induction 1 as [| zs w z H IH D U].
  - rewrite count_nil, norm_zero. unfold measure. rewrite Rmult_0_r, Rplus_0_r, ln_1. lra.
  - rewrite count_cons. pose proof (norm_nonneg _ w) as N. pose proof (norm_nonneg _ (w ⊕ η · z)) as N'.
    enough (measure (s * ‖(w ⊕ η · z)‖) <= measure (s * ‖w‖) + c) by lra.
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

(** ρ(2 − ρ)τ ≤ 2 ln(1 + ρτ), for ρ = γ′/γ and τ = k(γ/R)². *)
Theorem margin_sharp u γ r γ' zs w : separates data u γ -> 0 < r -> within data r -> 0 < γ' ->
  run η data zero (relative E γ') zs w ->
  let ρ := γ' / γ in let τ := count zs * (γ / r) ^ 2 in ρ * (2 - ρ) * τ <= 2 * ln (1 + ρ * τ).
Proof.
  intros S R L G H ρ τ. pose proof (measured r γ' zs w R L G H) as M.
  pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A. rewrite norm_zero in A.
  destruct S as [P _]. pose proof (count_nonneg _ zs) as K. assert (Q : 0 < r ^ 2) by nra.
  assert (X : ρ * τ = γ' * (count zs * (η * γ)) / (η * r ^ 2)) by (unfold ρ, τ; field; lra).
  assert (I : 0 < / (η * r ^ 2)) by (apply Rinv_0_lt_compat; nra).
  assert (B : measure (ρ * τ) <= count zs * (γ' ^ 2 / (2 * r ^ 2))).
  { apply (Rle_trans _ (measure (γ' * ‖w‖ / (η * r ^ 2)))); [| exact M]. rewrite X. apply measure_rises.
    assert (0 <= count zs * (η * γ)) by (apply Rmult_le_pos; nra).
    split; [apply Rmult_le_pos; nra |]. apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; lra. }
  unfold measure in B.
  replace (count zs * (γ' ^ 2 / (2 * r ^ 2))) with (ρ ^ 2 * τ / 2) in B by (unfold ρ, τ; field; lra).
  nra.
Qed.

Lemma linear c x : derivable_pt_lim (fun x => c * x) x c.
Proof.
  pose proof (derivable_pt_lim_scal id c x 1 (derivable_pt_lim_id x)) as H. rewrite Rmult_1_r in H. exact H.
Qed.

(** If t > 0 does not have the inequality strictly, no τ above it has it. *)
Lemma sharp_root ρ t τ : 0 < ρ -> 0 < t -> 2 * ln (1 + ρ * t) <= ρ * (2 - ρ) * t ->
  ρ * (2 - ρ) * τ <= 2 * ln (1 + ρ * τ) -> τ <= t.
Proof.
  intros P T A B. destruct (Rle_lt_dec τ t) as [| L]; [easy | exfalso].
  set (g := fun x => 2 * ln (1 + ρ * x) - ρ * (2 - ρ) * x).
  set (g' := fun x => 2 * (/ (1 + ρ * x) * ρ) - ρ * (2 - ρ)).
  assert (D : forall x, 0 <= x -> derivable_pt_lim g x (g' x)).
  { intros x X. apply derivable_pt_lim_minus; [| now apply linear].
    apply (derivable_pt_lim_scal (fun x => ln (1 + ρ * x))), (derivable_pt_lim_comp (fun x => 1 + ρ * x) ln).
    - pose proof (derivable_pt_lim_plus _ _ x _ _ (derivable_pt_lim_const 1 x) (linear ρ x)) as H.
      rewrite Rplus_0_l in H. exact H.
    - apply derivable_pt_lim_ln. nra. }
  destruct (MVT_cor2 g g' 0 t T) as (a & GA & RA); [intros; apply D; lra |].
  destruct (MVT_cor2 g g' t τ L) as (b & GB & RB); [intros; apply D; lra |].
  unfold g in GA at 2. rewrite Rmult_0_r, Rplus_0_r, ln_1 in GA.
  assert (g t <= 0) by (unfold g; lra). assert (0 <= g τ) by (unfold g; lra).
  assert (g' a <= 0) by nra. assert (0 <= g' b) by nra.
  assert (g' b < g' a).
  { unfold g'. assert (0 < ρ * a) by (apply Rmult_lt_0_compat; lra). assert (ρ * a < ρ * b) by (apply Rmult_lt_compat_l; lra).
    assert (/ (1 + ρ * b) < / (1 + ρ * a)) by (apply Rinv_lt_contravar; [apply Rmult_lt_0_compat |]; lra).
    assert (/ (1 + ρ * b) * ρ < / (1 + ρ * a) * ρ) by (apply Rmult_lt_compat_r; lra). lra. }
  lra.
Qed.

(** So k ≤ t(R/γ)² for the t of any ρ; the least such t is the positive root of ρ(2 − ρ)t = 2 ln(1 + ρt). *)
Theorem margin_sharp_bound u γ r γ' t zs w : separates data u γ -> 0 < r -> within data r -> 0 < γ' -> 0 < t ->
  2 * ln (1 + γ' / γ * t) <= γ' / γ * (2 - γ' / γ) * t ->
  run η data zero (relative E γ') zs w -> count zs <= t * (r / γ) ^ 2.
Proof.
  intros S R L G T A H. pose proof (margin_sharp _ _ _ _ _ _ S R L G H) as B. destruct S as [P _]. simpl in B.
  apply (sharp_root _ t) in B; [| now apply Rdiv_lt_0_compat | exact T | exact A].
  assert (I : 0 < (r / γ) ^ 2) by (apply pow_lt, Rdiv_lt_0_compat; lra).
  apply (Rmult_le_compat_r ((r / γ) ^ 2)) in B; [| lra].
  replace (count zs) with (count zs * (γ / r) ^ 2 * (r / γ) ^ 2) by (field; lra). exact B.
Qed.

Lemma squared c d x : 0 <= c -> d <= c * c -> c <= exp x -> d <= exp (2 * x).
Proof. intros P D X. replace (2 * x) with (x + x) by ring. rewrite exp_plus. pose proof (exp_pos x). nra. Qed.

(** ln 3.513 ≤ 1.2565, by 17 squares of 1 + 1.2565/2¹⁷. *)
Lemma ln_3513 : ln (3513 / 1000) <= 12565 / 10000.
Proof.
  apply Rnot_lt_le. intros L. apply exp_increasing in L. rewrite exp_ln in L by lra.
  apply (Rlt_not_le _ _ L). clear L.
  pose proof (exp_ineq1_le (12565 / 10000 / 2 ^ 17)) as H.
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
  pose proof ln_3513. lra.
Qed.
End Sharp.
