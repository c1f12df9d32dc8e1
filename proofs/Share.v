(** The rule that reaches any share s < 1 of the best margin, with nothing known beforehand
    (Panagiotakopoulos & Tsampouka 2011): θ_k = s‖w_k‖²/(ηk), since ‖w_k‖/(ηk) ≥ γ. *)

From Perceptron Require Import Space Online Threshold Multiclass TwoClasses Passes.
Require Import Lra Psatz Arith.

(** ** Powers and logarithms *)
Lemma ln_at_most x : 0 < x -> ln x <= x - 1.
Proof. intros P. pose proof (exp_ineq1_le (ln x)) as H. rewrite exp_ln in H by exact P. lra. Qed.

(** 1/(k + 1) ≤ ln((k + 1)/k). *)
Lemma ln_step k : 0 < k -> / (k + 1) <= ln (k + 1) - ln k.
Proof.
  intros P. pose proof (ln_at_most (k / (k + 1)) ltac:(apply Rdiv_lt_0_compat; lra)) as H.
  unfold Rdiv in H. rewrite ln_mult, ln_Rinv in H by (try apply Rinv_0_lt_compat; lra).
  replace (k * / (k + 1) - 1) with (- / (k + 1)) in H by (field; lra). lra.
Qed.

(** Bernoulli's inequality: kᵖ(1 + p/k) ≤ (k + 1)ᵖ for p ≥ 1. *)
Lemma power_step k p : 0 < k -> 1 <= p -> Rpower k p * (1 + p / k) <= Rpower (k + 1) p.
Proof.
  intros P N. assert (I : 0 < / k) by now apply Rinv_0_lt_compat. assert (J : 0 < / (k + 1)) by (apply Rinv_0_lt_compat; lra).
  assert (Q : 0 < 1 + p / k) by (unfold Rdiv; nra).
  assert (L : ln (1 + p / k) <= p * (ln (k + 1) - ln k)).
  { pose proof (ln_step k P) as S. assert (D : 0 < (1 + p / k) * (k * / (k + 1))) by (apply Rmult_lt_0_compat; [exact Q | nra]).
    pose proof (ln_at_most _ D) as H.
    rewrite ln_mult, ln_mult, ln_Rinv in H by (try apply Rmult_lt_0_compat; lra).
    replace ((1 + p / k) * (k * / (k + 1)) - 1) with ((p - 1) * / (k + 1)) in H by (field; lra). nra. }
  unfold Rpower. rewrite <- (exp_ln (1 + p / k)) at 1 by exact Q. rewrite <- exp_plus. destruct (Req_dec (p * ln k + ln (1 + p / k)) (p * ln (k + 1))) as [-> | D]; [lra | left; apply exp_increasing; lra].
Qed.

(** ** The rule *)
Section Share.
Variables (E : space) (η : R) (data : E -> Prop).
Hypothesis η_positive : 0 < η.

(** k is the number of updates so far, and θ_0 = 0. *)
Definition share (s : R) (zs : list E) (w : E) := match zs with [] => 0 | _ => s * ⟨w, w⟩ / (η * count zs) end.

(** A run with one share is a run with every larger one. So its bounds hold too. *)
Theorem share_larger start s t zs w : s <= t -> run η data start (share s) zs w -> run η data start (share t) zs w.
Proof.
  intros L. induction 1 as [| zs w z _ IH D T]; constructor; auto. apply (Rle_trans _ _ _ T).
  unfold share. destruct zs as [| x zs]; [lra |]. apply Rmult_le_compat_r.
  - left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; [lra |]. rewrite count_cons. pose proof (count_nonneg _ zs). lra.
  - apply Rmult_le_compat_r; [apply inner_nonneg | exact L].
Qed.

(** An update makes a_{k+1} ≤ a_k(1 + 2s/k) + R², for a = ‖w‖²/η². So a_k ≤ b(k) if b has
    these steps, too. *)
Lemma share_growth start r s (b : R -> R) zs w : within data r -> 0 <= s ->
  ‖start‖ ^ 2 + (η * r) ^ 2 <= b 1 -> (forall k, 1 <= k -> b k * (1 + 2 * s / k) + (η * r) ^ 2 <= b (k + 1)) ->
  run η data start (share s) zs w -> zs <> [] -> ⟨w, w⟩ <= b (count zs).
Proof.
  intros [_ L] P B S. induction 1 as [| zs w z H IH D T]; [easy |]. intros _.
  rewrite count_cons, square_add, <- (norm_square _ z). pose proof (L z D). pose proof (norm_nonneg _ z).
  assert (Z : η ^ 2 * ‖z‖ ^ 2 <= (η * r) ^ 2) by (rewrite <- Rpow_mult_distr; apply pow_incr; nra).
  destruct zs as [| x zs].
  - inversion H. subst w. simpl in T. rewrite count_nil, Rplus_0_l, <- (norm_square _ start). nra.
  - specialize (IH ltac:(easy)). unfold share in T.
    assert (K : 1 <= count (x :: zs)) by (rewrite count_cons; pose proof (count_nonneg _ zs); lra).
    set (k := count (x :: zs)) in *. pose proof (S k K).
    assert (2 * η * ⟨w, z⟩ <= 2 * s / k * ⟨w, w⟩).
    { replace (2 * s / k * ⟨w, w⟩) with (2 * η * (s * ⟨w, w⟩ / (η * k))) by (field; lra). nra. }
    assert (0 <= 2 * s / k) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
    pose proof (Rmult_le_compat_r (1 + 2 * s / k) _ _ ltac:(lra) IH). lra.
Qed.

(** *** s < ½ *)
Lemma share_path_start start r s zs w : within data r -> 0 <= s < / 2 -> run η data start (share s) zs w -> zs <> [] ->
  ⟨w, w⟩ <= count zs * (‖start‖ ^ 2 + (η * r) ^ 2 / (1 - 2 * s)).
Proof.
  intros L P H N. set (B := (η * r) ^ 2 / (1 - 2 * s)). pose proof (pow2_ge_0 (η * r)) as Q. pose proof (pow2_ge_0 ‖start‖) as A.
  assert (I : 0 < / (1 - 2 * s)) by (apply Rinv_0_lt_compat; lra).
  assert (C : (η * r) ^ 2 = B * (1 - 2 * s)) by (unfold B; field; lra). assert (N0 : 0 <= B) by (unfold B, Rdiv; nra).
  apply (share_growth start r s (fun k => k * (‖start‖ ^ 2 + B)) zs w L ltac:(lra)); auto; [rewrite C; nra |].
  intros k K. replace (k * (‖start‖ ^ 2 + B) * (1 + 2 * s / k)) with ((k + 2 * s) * (‖start‖ ^ 2 + B)) by (field; lra). nra.
Qed.

Theorem share_bound_start start u γ r s zs w : separates data u γ -> within data r -> 0 <= s < / 2 ->
  run η data start (share s) zs w ->
  count zs <= (r ^ 2 / (1 - 2 * s) + (‖start‖ / η) ^ 2) / γ ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S L P H. pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A. destruct S as [G _].
  set (W := ‖start‖) in *. assert (0 <= W) by apply norm_nonneg. pose proof (pow2_ge_0 (η * r)) as Q.
  assert (I : 0 < / (1 - 2 * s)) by (apply Rinv_0_lt_compat; lra).
  assert (N0 : 0 <= (η * r) ^ 2 / (1 - 2 * s)) by (unfold Rdiv; nra).
  replace ((r ^ 2 / (1 - 2 * s) + (W / η) ^ 2) / γ ^ 2) with ((W ^ 2 + (η * r) ^ 2 / (1 - 2 * s)) / (η * γ) ^ 2) by (field; lra).
  apply growth_bound; [nra | apply count_nonneg | easy | nra |].
  destruct zs as [| z zs]; [rewrite count_nil; pose proof (sqrt_pos (W ^ 2 + 0 * (W ^ 2 + (η * r) ^ 2 / (1 - 2 * s)))); nra |].
  pose proof (share_path_start start r s _ w L P H ltac:(easy)) as B. fold W in B.
  apply (Rle_trans _ _ _ A). unfold norm. apply sqrt_le_1_alt. pose proof (pow2_ge_0 W). lra.
Qed.

Theorem share_bound u γ r s zs w : separates data u γ -> within data r -> 0 <= s < / 2 ->
  run η data zero (share s) zs w -> count zs <= (r / γ) ^ 2 / (1 - 2 * s).
Proof.
  intros S L P H. pose proof (share_bound_start _ _ _ _ _ _ _ S L P H) as B. destruct S as [G _].
  rewrite norm_zero in B. replace ((r / γ) ^ 2 / (1 - 2 * s)) with
    ((r ^ 2 / (1 - 2 * s) + (0 / η) ^ 2) / γ ^ 2 + 2 * 0 / (η * γ)) by (field; lra). exact B.
Qed.

(** *** s = ½ *)
Theorem share_half_path start r zs w : within data r -> run η data start (share (/ 2)) zs w -> zs <> [] ->
  ⟨w, w⟩ <= count zs * (‖start‖ ^ 2 + (η * r) ^ 2 * (1 + ln (count zs))).
Proof.
  intros L H N. pose proof (pow2_ge_0 (η * r)) as Q. pose proof (pow2_ge_0 ‖start‖) as A.
  apply (share_growth start r (/ 2) (fun k => k * (‖start‖ ^ 2 + (η * r) ^ 2 * (1 + ln k))) zs w L ltac:(lra)); auto.
  - rewrite ln_1. lra.
  - intros k K. replace (k * (‖start‖ ^ 2 + (η * r) ^ 2 * (1 + ln k)) * (1 + 2 * / 2 / k)) with
      ((k + 1) * (‖start‖ ^ 2 + (η * r) ^ 2 * (1 + ln k))) by (field; lra).
    pose proof (ln_step k ltac:(lra)) as T.
    assert (1 <= (k + 1) * (ln (k + 1) - ln k)).
    { replace 1 with ((k + 1) * / (k + 1)) at 1 by (field; lra). apply Rmult_le_compat_l; lra. }
    nra.
Qed.

(** With K = (R/γ)², k ≤ K(1 + ln k). So k ≤ t for every t ≥ K with K(1 + ln t) ≤ t, such as 2K(1 + ln K). *)
Theorem share_half_equal u γ r zs w : separates data u γ -> within data r -> run η data zero (share (/ 2)) zs w ->
  zs <> [] -> count zs <= (r / γ) ^ 2 * (1 + ln (count zs)).
Proof.
  intros S L H N. pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A.
  pose proof (share_half_path _ _ _ _ L H N) as B. destruct S as [G _]. rewrite norm_zero in *.
  rewrite <- norm_square in B. set (k := count zs) in *.
  assert (K : 1 <= k) by (destruct zs; [easy |]; unfold k; rewrite count_cons; pose proof (count_nonneg _ zs); lra).
  assert (C : (k * (η * γ)) ^ 2 <= ‖w‖ ^ 2) by (apply pow_incr; split; [apply Rmult_le_pos; nra | lra]).
  apply (Rmult_le_reg_r (k * (η * γ) ^ 2)); [apply Rmult_lt_0_compat; [lra | apply pow_lt; nra] |].
  replace ((r / γ) ^ 2 * (1 + ln k) * (k * (η * γ) ^ 2)) with (k * (0 ^ 2 + (η * r) ^ 2 * (1 + ln k))) by (field; lra).
  apply (Rle_trans _ ((k * (η * γ)) ^ 2)); [| lra]. right. ring.
Qed.

(** k − K(1 + ln k) rises from K on. *)
Lemma log_bound K k t : 0 < K <= t -> K * (1 + ln t) <= t -> 0 < k -> k <= K * (1 + ln k) -> k <= t.
Proof.
  intros [P Q] H N L. destruct (Rle_lt_dec k t) as [| G]; [easy | exfalso].
  assert (D : 0 < ln k - ln t) by (pose proof (ln_increasing t k ltac:(lra) G); lra).
  pose proof (exp_ineq1 (ln k - ln t) ltac:(lra)) as J.
  replace (exp (ln k - ln t)) with (k / t) in J.
  2: { unfold Rminus, Rdiv. rewrite exp_plus, exp_Ropp, !exp_ln by lra. reflexivity. }
  assert (S : t * (1 + (ln k - ln t)) < k).
  { replace k with (t * (k / t)) at 2 by (field; lra). apply Rmult_lt_compat_l; lra. }
  nra.
Qed.

Theorem share_half_bound u γ r t zs w : separates data u γ -> within data r ->
  (r / γ) ^ 2 <= t -> (r / γ) ^ 2 * (1 + ln t) <= t -> run η data zero (share (/ 2)) zs w -> count zs <= t.
Proof.
  intros S L Q B H. pose proof (pow2_ge_0 (r / γ)) as N. set (K := (r / γ) ^ 2) in *.
  destruct zs as [| z zs]; [rewrite count_nil; lra |].
  pose proof (share_half_equal u γ r _ w S L H ltac:(easy)) as A. fold K in A.
  assert (P : 1 <= count (z :: zs)) by (rewrite count_cons; pose proof (count_nonneg _ zs); lra).
  destruct N as [N | N]; [apply (log_bound K); lra |]. rewrite <- N, Rmult_0_l in A. lra.
Qed.

(** Such a t is 2K(1 + ln K). *)
Theorem share_half_number u γ r zs w : separates data u γ -> within data r -> γ <= r ->
  run η data zero (share (/ 2)) zs w -> count zs <= 2 * (r / γ) ^ 2 * (1 + ln ((r / γ) ^ 2)).
Proof.
  intros S L G H. assert (P : 0 < γ) by apply S. set (K := (r / γ) ^ 2).
  assert (N : 1 <= K). { unfold K. rewrite <- (pow1 2). apply pow_incr. split; [lra |]. apply (Rmult_le_reg_r γ); [exact P |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (X : 0 <= ln K) by (rewrite <- ln_1; destruct N as [N | <-]; [left; apply ln_increasing; lra | lra]).
  apply (share_half_bound u γ r (2 * K * (1 + ln K)) zs w S L); fold K; [nra | | exact H].
  rewrite !ln_mult by lra. pose proof (ln_at_most (1 + ln K) ltac:(lra)). pose proof (ln_at_most 2 ltac:(lra)). nra.
Qed.

(** *** ½ < s < 1, with p = 2s *)
Theorem share_above_path start r s zs w : within data r -> / 2 < s < 1 -> run η data start (share s) zs w -> zs <> [] ->
  ⟨w, w⟩ <= Rpower (count zs) (2 * s) * (‖start‖ ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1))).
Proof.
  intros L P H N. pose proof (pow2_ge_0 (η * r)) as Q. pose proof (pow2_ge_0 ‖start‖) as A.
  assert (I : 0 < / (2 * s - 1)) by (apply Rinv_0_lt_compat; lra).
  pose (b := fun k => Rpower k (2 * s) * (‖start‖ ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1))) - (η * r) ^ 2 * (k / (2 * s - 1))).
  assert (B : ⟨w, w⟩ <= b (count zs)).
  { apply (share_growth start r s b zs w L ltac:(lra)); auto; unfold b.
    - unfold Rpower. rewrite ln_1, Rmult_0_r, exp_0.
      replace (1 * _ - _) with (‖start‖ ^ 2 + (η * r) ^ 2) by (field; lra). lra.
    - intros k K. pose proof (power_step k (2 * s) ltac:(lra) ltac:(lra)) as T.
      set (C := ‖start‖ ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1))).
      assert (0 <= C) by (unfold C, Rdiv; assert (0 <= 2 * s * / (2 * s - 1)) by nra; nra).
      pose proof (Rmult_le_compat_r C _ _ ltac:(easy) T).
      replace ((Rpower k (2 * s) * C - (η * r) ^ 2 * (k / (2 * s - 1))) * (1 + 2 * s / k) + (η * r) ^ 2)
        with (Rpower k (2 * s) * (1 + 2 * s / k) * C - (η * r) ^ 2 * ((k + 1) / (2 * s - 1))) by (field; lra). lra. }
  apply (Rle_trans _ _ _ B). unfold b.
  assert (0 <= (η * r) ^ 2 * (count zs / (2 * s - 1))); [| lra].
  apply Rmult_le_pos; [exact Q |]. apply Rmult_le_pos; [apply count_nonneg | lra].
Qed.

Theorem share_above_bound_start start u γ r s zs w : separates data u γ -> within data r -> / 2 < s < 1 ->
  run η data start (share s) zs w ->
  count zs <= Rpower ((‖start‖ + sqrt (‖start‖ ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1)))) / (η * γ)) (/ (1 - s)).
Proof.
  intros S L P H. pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A. destruct S as [G _].
  set (W := ‖start‖) in *. set (C := W ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1))).
  assert (W0 : 0 <= W) by apply norm_nonneg.
  destruct zs as [| z zs]; [rewrite count_nil; left; apply exp_pos |].
  pose proof (share_above_path start r s _ w L P H ltac:(easy)) as B. fold W C in B. set (k := count (z :: zs)) in *.
  assert (K : 1 <= k) by (unfold k; rewrite count_cons; pose proof (count_nonneg _ zs); lra).
  assert (PK : 0 < Rpower k s) by apply exp_pos.
  assert (P1 : 1 <= Rpower k s).
  { rewrite <- (Rpower_O k) at 1 by lra. destruct K as [K | <-]; [left; apply Rpower_lt; lra | unfold Rpower; rewrite ln_1, !Rmult_0_r; lra]. }
  assert (N : ‖w‖ <= Rpower k s * sqrt C).
  { apply norm_at_most; [apply Rmult_le_pos; [lra | apply sqrt_pos] |]. rewrite Rpow_mult_distr.
    replace (Rpower k s ^ 2) with (Rpower k (2 * s)) by (simpl; rewrite Rmult_1_r, <- Rpower_plus; f_equal; ring).
    destruct (Rle_lt_dec 0 C) as [CP | CN]; [now rewrite pow2_sqrt |]. pose proof (inner_nonneg _ w). pose proof (exp_pos (2 * s * ln k)).
    unfold Rpower in *. nra. }
  assert (T : k * (η * γ) <= Rpower k s * (W + sqrt C)) by nra.
  assert (U : Rpower k (1 - s) <= (W + sqrt C) / (η * γ)).
  { apply (Rmult_le_reg_l (Rpower k s)); [exact PK |]. rewrite <- Rpower_plus. replace (s + (1 - s)) with 1 by ring.
    rewrite Rpower_1 by lra. apply (Rmult_le_reg_r (η * γ)); [nra |]. apply (Rle_trans _ _ _ T). right. field. lra. }
  replace k with (Rpower (Rpower k (1 - s)) (/ (1 - s))).
  2: { rewrite Rpower_mult, Rinv_r, Rpower_1; lra. }
  apply Rle_Rpower_l; [left; apply Rinv_0_lt_compat; lra |]. split; [apply exp_pos | exact U].
Qed.

Theorem share_above_bound u γ r s zs w : separates data u γ -> within data r -> / 2 < s < 1 ->
  run η data zero (share s) zs w -> count zs <= Rpower (2 * s * (r / γ) ^ 2 / (2 * s - 1)) (/ (2 - 2 * s)).
Proof.
  intros S L P H. destruct zs as [| z zs]; [rewrite count_nil; left; apply exp_pos |].
  pose proof (share_above_bound_start _ _ _ _ _ _ _ S L P H) as B. rewrite norm_zero in B.
  pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A. pose proof (share_above_path _ _ _ _ _ L P H ltac:(easy)) as Q. destruct S as [G _].
  rewrite norm_zero in *. set (C := 2 * s * (r / γ) ^ 2 / (2 * s - 1)).
  assert (I : 0 < / (2 * s - 1)) by (apply Rinv_0_lt_compat; lra).
  assert (R0 : 0 < r).
  { destruct L as [L _]. destruct L as [L | <-]; [exact L | exfalso]. rewrite count_cons in A. pose proof (count_nonneg _ zs).
    pose proof (norm_square _ w). pose proof (norm_nonneg _ w).
    replace (0 ^ 2 + (η * 0) ^ 2 * (2 * s / (2 * s - 1))) with 0 in Q by (field; lra). rewrite Rmult_0_r in Q.
    assert (0 < (count zs + 1) * (η * γ)) by (apply Rmult_lt_0_compat; nra). nra. }
  assert (CP : 0 < C). { unfold C, Rdiv. apply Rmult_lt_0_compat; [| exact I]. apply Rmult_lt_0_compat; [lra |]. apply pow_lt. apply Rmult_lt_0_compat; [lra | now apply Rinv_0_lt_compat]. }
  replace ((0 + sqrt (0 ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1)))) / (η * γ)) with (Rpower C (/ 2)) in B.
  2: { rewrite Rpower_sqrt by exact CP. rewrite Rplus_0_l. assert (EG : 0 < η * γ) by nra.
       replace (0 ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1))) with (C * (η * γ) ^ 2) by (unfold C; field; lra).
       rewrite sqrt_mult_alt, sqrt_pow2 by lra. field. lra. }
  rewrite Rpower_mult in B. replace (/ (2 - 2 * s)) with (/ 2 * / (1 - s)) by (field; lra). exact B.
Qed.

(** *** The margin at the end *)
Theorem share_reached_start start u γ s zs w : (exists z, data z) -> separates data u γ -> 0 <= s -> zs <> [] ->
  run η data start (share s) zs w -> ended data (share s) zs w ->
  has_margin data w (s * (γ - ‖start‖ / (η * count zs))).
Proof.
  intros X S P N H F. apply margin_intro; [exact X |]. intros z D. specialize (F z D).
  pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A. unfold share in F.
  destruct zs as [| x zs]; [easy |]. set (k := count (x :: zs)) in *.
  assert (K : 1 <= k) by (unfold k; rewrite count_cons; pose proof (count_nonneg _ zs); lra).
  rewrite <- norm_square in F. pose proof (norm_nonneg _ w) as Q. set (v := ‖w‖) in *.
  assert (I : 0 < / (η * k)) by (apply Rinv_0_lt_compat; nra).
  assert (0 <= s * v ^ 2 / (η * k)) by (unfold Rdiv; apply Rmult_le_pos; [pose proof (pow2_ge_0 v); nra | lra]).
  split; [lra |]. left. apply (Rle_lt_trans _ (s * v ^ 2 / (η * k))); [| exact F].
  replace (s * (γ - ‖start‖ / (η * k)) * v) with (s * (v * (k * (η * γ) - ‖start‖)) / (η * k)) by (field; lra).
  apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; [exact P |]. nra.
Qed.

Theorem share_reached u γ s zs w : (exists z, data z) -> separates data u γ -> 0 <= s ->
  run η data zero (share s) zs w -> ended data (share s) zs w -> has_margin data w (s * γ).
Proof.
  intros X S P H F. destruct zs as [| z zs].
  - destruct X as [z D]. specialize (F z D). inversion H. subst w. simpl in F. rewrite inner_zero in F. lra.
  - assert (N : z :: zs <> []) by easy.
    pose proof (share_reached_start _ _ _ _ _ _ X S P N H F) as B. rewrite norm_zero in B.
    assert (0 < count (z :: zs)) by (rewrite count_cons; pose proof (count_nonneg _ zs); lra).
    replace (s * (γ - 0 / (η * count (z :: zs)))) with (s * γ) in B by (field; lra). exact B.
Qed.

(** *** Training in passes ends: if no run makes more than B updates, some pass m ≤ B needs none *)
Variables (start : E) (s : R).
Definition share_visit (m : list E * E) (z : E) := if Rle_dec ⟨snd m, z⟩ (share s (fst m) (snd m)) then (z :: fst m, snd m ⊕ η · z) else m.

Theorem share_converges B order : (forall zs w, run η data start (share s) zs w -> count zs <= B) ->
  (forall n : nat, is_pass E data (order n)) -> exists m zs w, INR m <= B /\
    (forall n, (m <= n)%nat -> passes E _ share_visit ([], start) order n = (zs, w)) /\
    run η data start (share s) zs w /\ ended data (share s) zs w.
Proof.
  intros H C. set (settled := fun (m : list E * E) z => share s (fst m) (snd m) < ⟨snd m, z⟩).
  set (reached := fun (m : list E * E) k => run η data start (share s) (fst m) (snd m) /\ length (fst m) = k).
  assert (S : forall m z, settled m z -> share_visit m z = m) by (intros m z A; unfold share_visit, settled in *; destruct (Rle_dec _ _); [lra | easy]).
  assert (M : forall m z k, reached m k -> data z -> settled m z \/ reached (share_visit m z) (Datatypes.S k)).
  { intros m z k [R L] D. unfold settled, share_visit. destruct (Rle_dec _ _) as [T | T]; [right | left; lra].
    split; cbn [fst snd length]; [now constructor | now rewrite L]. }
  assert (B0 : reached ([], start) 0%nat) by (split; [constructor | easy]).
  destruct (some_pass_settles _ _ _ _ _ _ _ S M B0 order C B) as (m & L & A).
  { intros q k [R <-]. now apply H in R. }
  assert (R : exists k, reached (passes E _ share_visit ([], start) order m) k).
  { clear L A. induction m as [| n (k & R)]; [exists 0%nat; exact B0 |]. cbn [passes].
    destruct (visits _ _ _ _ _ _ S M (order n) _ k (fun i I => proj1 (C n i) I) R) as (j & R' & _). eauto. }
  destruct R as (k & R & _). exists m. destruct (passes E _ share_visit ([], start) order m) as [zs w] eqn:Q. exists zs, w.
  split; [exact L | split; [| split; [exact R | exact A]]]. intros n N. rewrite <- Q.
  rewrite <- Q in A. now apply (settled_for_ever _ _ _ _ _ _ S order C).
Qed.
End Share.

(** ** Several classes: the same with 2R² *)
Section Classes.
Variables (E : space) (K : nat) (η : R).
Hypothesis η_positive : 0 < η.
Variable example : E -> nat -> Prop.
Hypothesis classes : forall x y, example x y -> (y < K)%nat.

Definition multi_share (s : R) (ts : list (triple E)) (W : stack E K) := match ts with [] => 0 | _ => s * ⟨W, W⟩ / (η * count ts) end.

Lemma multi_share_is s ts W : multi_share s ts W = share (stack E K) η s (map (stacked E K) ts) W.
Proof. destruct ts as [| t ts]; [easy |]. unfold multi_share, share. now rewrite <- (stacked_count E K). Qed.

Lemma share_rows start s ts W : multi_run E K η example start (multi_share s) ts W ->
  run η (rows E K example) start (share (stack E K) η s) (map (stacked E K) ts) W.
Proof. apply (rows_run E K η example classes). intros us V _ _. rewrite multi_share_is. apply Rle_refl. Qed.

Variables (U : stack E K) (γ r : R).
Hypothesis separable : multi_separates E K example U γ.
Hypothesis radius : multi_within E example r.

Theorem multiclass_share_bound s ts W : 0 <= s < / 2 -> multi_run E K η example zero (multi_share s) ts W ->
  count ts <= 2 * (r / γ) ^ 2 / (1 - 2 * s).
Proof.
  intros P H. pose proof (share_bound _ _ _ η_positive _ _ _ _ _ _ (rows_separate _ _ _ classes _ _ separable) (rows_within _ _ _ classes _ radius) P (share_rows _ _ _ _ H)) as B.
  rewrite (stacked_count E K) in B. unfold Rdiv in *. rewrite (Rmult_assoc (sqrt 2)), square_root_2 in B. exact B.
Qed.

Theorem multiclass_share_half_bound t ts W : 2 * (r / γ) ^ 2 <= t -> 2 * (r / γ) ^ 2 * (1 + ln t) <= t ->
  multi_run E K η example zero (multi_share (/ 2)) ts W -> count ts <= t.
Proof.
  intros P Q H. rewrite <- (stacked_count E K).
  assert (T : (sqrt 2 * r / γ) ^ 2 = 2 * (r / γ) ^ 2) by (unfold Rdiv; now rewrite Rmult_assoc, square_root_2).
  apply (share_half_bound _ _ _ η_positive _ _ _ t _ W (rows_separate _ _ _ classes _ _ separable) (rows_within _ _ _ classes _ radius)); [now rewrite T | now rewrite T | now apply share_rows].
Qed.

Theorem multiclass_share_above_bound s ts W : / 2 < s < 1 -> multi_run E K η example zero (multi_share s) ts W ->
  count ts <= Rpower (2 * s * (2 * (r / γ) ^ 2) / (2 * s - 1)) (/ (2 - 2 * s)).
Proof.
  intros P H. pose proof (share_above_bound _ _ _ η_positive _ _ _ _ _ _ (rows_separate _ _ _ classes _ _ separable) (rows_within _ _ _ classes _ radius) P (share_rows _ _ _ _ H)) as B.
  rewrite (stacked_count E K) in B. replace ((sqrt 2 * r / γ) ^ 2) with (2 * (r / γ) ^ 2) in B; [exact B |].
  unfold Rdiv. now rewrite Rmult_assoc, square_root_2.
Qed.

Theorem multiclass_share_reached s ts W : has_rival E K example -> 0 <= s -> multi_run E K η example zero (multi_share s) ts W ->
  multi_ended E K example (multi_share s) ts W -> multi_has_margin E K example W (s * γ).
Proof.
  intros X P H F. apply (rows_reach _ _ _ classes).
  apply (share_reached _ _ _ η_positive U γ s (map (stacked E K) ts)); [now apply rows_exist | now apply rows_separate | exact P | now apply share_rows |].
  apply (rows_ended _ _ _ classes (multi_share s)); [intros; apply multi_share_is | exact F].
Qed.
End Classes.

(** With two classes this is the binary rule, too. *)
Theorem two_classes_share E η s : twice E (share E η s) (multi_share E 2 η s).
Proof.
  intros ts w W Q. unfold multi_share, share. destruct ts as [| t ts]; cbn [map]; [ring |].
  replace (count (binary_of E t :: map (binary_of E) ts)) with (count (t :: ts)) by (unfold count; cbn [length]; now rewrite map_length).
  rewrite <- (norm_square (stack E 2)), (two_classes_norm E w W Q), square_root_2, norm_square. unfold Rdiv. ring.
Qed.
