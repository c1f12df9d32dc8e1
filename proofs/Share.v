(** The rule that reaches any share s < 1 of the best margin, with nothing known beforehand
    (Panagiotakopoulos & Tsampouka 2011): θ_k = s‖w_k‖²/(ηk), since ‖w_k‖/(ηk) ≥ γ. *)

From Perceptron Require Import Space Online Threshold Sharp Multiclass TwoClasses Passes.
Require Import Lra Lia Psatz Arith.

(** ** Logarithms and powers, without Coq's logarithm, which needs an axiom more (as in Sharp.v) *)

(** 1/2 + … + 1/n, which is at most ln n. *)
Fixpoint harmonic (n : nat) : R := match n with O => 0 | S O => 0 | S m => harmonic m + / INR (S m) end.
(** (1 + p)(1 + p/2) … (1 + p/(n − 1)), which is at most nᵖ for p ≥ 1. *)
Fixpoint product (p : R) (n : nat) : R := match n with O => 1 | S O => 1 | S m => product p m * (1 + p / INR m) end.

Lemma harmonic_step n : (0 < n)%nat -> harmonic (S n) = harmonic n + / INR (S n).
Proof. destruct n; [lia | reflexivity]. Qed.

Lemma product_step p n : (0 < n)%nat -> product p (S n) = product p n * (1 + p / INR n).
Proof. destruct n; [lia | reflexivity]. Qed.

Lemma harmonic_nonneg n : 0 <= harmonic n.
Proof.
  induction n as [| n IH]; [simpl; lra |]. destruct n as [| n]; [simpl; lra |]. rewrite harmonic_step by lia.
  assert (0 < / INR (S (S n))) by (apply Rinv_0_lt_compat, lt_0_INR; lia). lra.
Qed.

Lemma exp_above y : -1 < y -> 1 + y <= exp y.
Proof.
  intros P. destruct (Rle_lt_dec 0 y) as [N | N]; [pose proof (exp_least y N); pose proof (pow2_ge_0 y); lra |].
  pose proof (exp_most (- y) ltac:(lra)) as H. pose proof (exp_pos (- y)). pose proof (exp_pos y).
  assert (Q : exp y * exp (- y) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0). nra.
Qed.

(** exp(1/2 + … + 1/n) ≤ n. *)
Lemma harmonic_below n : (0 < n)%nat -> exp (harmonic n) <= INR n.
Proof.
  intros P. induction P as [| n P IH]; [simpl; rewrite exp_0; lra |]. rewrite harmonic_step, exp_plus by exact P.
  assert (N : 1 <= INR n) by (apply (le_INR 1); lia). rewrite S_INR.
  assert (I : 0 < / (INR n + 1)) by (apply Rinv_0_lt_compat; lra).
  assert (J : / (INR n + 1) < 1) by (apply (Rmult_lt_reg_r (INR n + 1)); [lra |]; rewrite Rinv_l; lra).
  pose proof (exp_most (/ (INR n + 1)) ltac:(lra)) as H. pose proof (exp_pos (/ (INR n + 1))).
  replace (1 - / (INR n + 1)) with (INR n * / (INR n + 1)) in H by (field; lra).
  assert (exp (/ (INR n + 1)) * INR n <= INR n + 1).
  { apply (Rmult_le_reg_r (/ (INR n + 1))); [exact I |]. rewrite Rinv_r by lra. lra. }
  nra.
Qed.

(** Bernoulli: the product is at most n·exp((p − 1)(1/2 + … + 1/n)). *)
Lemma product_below p n : 1 <= p -> (0 < n)%nat -> 0 < product p n <= INR n * exp ((p - 1) * harmonic n).
Proof.
  intros P Q. induction Q as [| n Q IH]; [simpl; rewrite Rmult_0_r, exp_0; lra |].
  replace ((p - 1) * harmonic (S n)) with ((p - 1) * harmonic n + (p - 1) * / INR (S n)) by (rewrite (harmonic_step n Q); ring).
  rewrite (product_step p n Q), exp_plus. assert (N : 1 <= INR n) by (apply (le_INR 1); lia). rewrite S_INR.
  assert (I : 0 < / INR n) by (apply Rinv_0_lt_compat; lra). assert (J : 0 < / (INR n + 1)) by (apply Rinv_0_lt_compat; lra).
  assert (D : 0 < 1 + p / INR n) by (unfold Rdiv; nra). split; [apply Rmult_lt_0_compat; lra |].
  pose proof (exp_above ((p - 1) * / (INR n + 1)) ltac:(nra)) as H.
  assert (S : INR n * (1 + p / INR n) <= (INR n + 1) * exp ((p - 1) * / (INR n + 1))).
  { apply (Rle_trans _ ((INR n + 1) * (1 + (p - 1) * / (INR n + 1)))); [right; field; lra | apply Rmult_le_compat_l; lra]. }
  pose proof (exp_pos ((p - 1) * harmonic n)) as X.
  apply (Rle_trans _ (INR n * exp ((p - 1) * harmonic n) * (1 + p / INR n))); [apply Rmult_le_compat_r; lra |].
  replace (INR n * exp ((p - 1) * harmonic n) * (1 + p / INR n)) with (exp ((p - 1) * harmonic n) * (INR n * (1 + p / INR n))) by ring.
  replace ((INR n + 1) * (exp ((p - 1) * harmonic n) * exp ((p - 1) * / (INR n + 1)))) with
    (exp ((p - 1) * harmonic n) * ((INR n + 1) * exp ((p - 1) * / (INR n + 1)))) by ring.
  apply Rmult_le_compat_l; lra.
Qed.

Lemma exp_rises_strictly x y : x < y -> exp x * (1 + (y - x)) < exp y.
Proof.
  intros L. replace y with (x + (y - x)) at 2 by ring. rewrite exp_plus. pose proof (exp_least (y - x) ltac:(lra)).
  assert (0 < (y - x) ^ 2) by (apply pow_lt; lra). apply Rmult_lt_compat_l; [apply exp_pos | lra].
Qed.

(** k ≤ C·exp((p − 1)h) with exp h ≤ k: k is at most C^(1/(2 − p)), which is exp x if C = exp((2 − p)x). *)
Lemma power_bound C p x h k : 0 <= p - 1 -> p < 2 -> C <= exp ((2 - p) * x) -> exp h <= k -> k <= C * exp ((p - 1) * h) -> k <= exp x.
Proof.
  intros P Q X H K. pose proof (exp_pos ((p - 1) * h)) as N.
  assert (B : k <= exp ((2 - p) * x + (p - 1) * h)) by (rewrite exp_plus; apply (Rle_trans _ _ _ K), Rmult_le_compat_r; lra).
  destruct (Rle_lt_dec h x) as [L | L]; [apply (Rle_trans _ _ _ B), exp_rises; nra | exfalso].
  pose proof (exp_rises_strictly ((2 - p) * x + (p - 1) * h) h ltac:(nra)) as S.
  pose proof (exp_pos ((2 - p) * x + (p - 1) * h)). assert (0 < h - ((2 - p) * x + (p - 1) * h)) by nra. nra.
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
Lemma share_growth start r s (b : nat -> R) zs w : within data r -> 0 <= s -> ‖start‖ ^ 2 + (η * r) ^ 2 <= b 1%nat ->
  (forall n, (0 < n)%nat -> b n * (1 + 2 * s / INR n) + (η * r) ^ 2 <= b (S n)) ->
  run η data start (share s) zs w -> zs <> [] -> ⟨w, w⟩ <= b (length zs).
Proof.
  intros [_ L] P B T0. induction 1 as [| zs w z H IH D T]; [easy |]. intros _. cbn [length].
  rewrite square_add, <- (norm_square _ z). pose proof (L z D). pose proof (norm_nonneg _ z).
  assert (Z : η ^ 2 * ‖z‖ ^ 2 <= (η * r) ^ 2) by (rewrite <- Rpow_mult_distr; apply pow_incr; nra).
  destruct zs as [| x zs].
  - inversion H. subst w. simpl in T. cbn [length]. rewrite <- (norm_square _ start). nra.
  - specialize (IH ltac:(easy)). unfold share in T. pose proof (T0 (length (x :: zs)) ltac:(simpl; lia)) as G.
    assert (K : 1 <= count (x :: zs)) by (rewrite count_cons; pose proof (count_nonneg _ zs); lra).
    fold (count (x :: zs)) in G. set (k := count (x :: zs)) in *. set (B0 := b (length (x :: zs))) in *.
    assert (2 * η * ⟨w, z⟩ <= 2 * s / k * ⟨w, w⟩).
    { replace (2 * s / k * ⟨w, w⟩) with (2 * η * (s * ⟨w, w⟩ / (η * k))) by (field; lra). nra. }
    assert (0 <= 2 * s / k) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
    pose proof (Rmult_le_compat_r (1 + 2 * s / k) _ _ ltac:(lra) IH). lra.
Qed.

Lemma some_updates (zs : list E) : zs <> [] -> (0 < length zs)%nat /\ 1 <= count zs.
Proof. destruct zs; [easy |]. intros _. split; [simpl; lia |]. rewrite count_cons. pose proof (count_nonneg _ zs). lra. Qed.

(** *** s < ½ *)
Lemma share_path_start start r s zs w : within data r -> 0 <= s < / 2 -> run η data start (share s) zs w -> zs <> [] ->
  ⟨w, w⟩ <= count zs * (‖start‖ ^ 2 + (η * r) ^ 2 / (1 - 2 * s)).
Proof.
  intros L P H N. set (B := (η * r) ^ 2 / (1 - 2 * s)). pose proof (pow2_ge_0 (η * r)) as Q. pose proof (pow2_ge_0 ‖start‖) as A.
  assert (I : 0 < / (1 - 2 * s)) by (apply Rinv_0_lt_compat; lra).
  assert (C : (η * r) ^ 2 = B * (1 - 2 * s)) by (unfold B; field; lra). assert (N0 : 0 <= B) by (unfold B, Rdiv; nra).
  apply (share_growth start r s (fun n => INR n * (‖start‖ ^ 2 + B)) zs w L ltac:(lra)); auto; [rewrite C; simpl; nra |].
  intros n K. assert (1 <= INR n) by (apply (le_INR 1); lia). rewrite S_INR.
  replace (INR n * (‖start‖ ^ 2 + B) * (1 + 2 * s / INR n)) with ((INR n + 2 * s) * (‖start‖ ^ 2 + B)) by (field; lra). nra.
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
  ⟨w, w⟩ <= count zs * (‖start‖ ^ 2 + (η * r) ^ 2 * (1 + harmonic (length zs))).
Proof.
  intros L H N. pose proof (pow2_ge_0 ‖start‖) as A.
  apply (share_growth start r (/ 2) (fun n => INR n * (‖start‖ ^ 2 + (η * r) ^ 2 * (1 + harmonic n))) zs w L ltac:(lra)); auto; [simpl; lra |].
  intros n K. assert (1 <= INR n) by (apply (le_INR 1); lia). rewrite harmonic_step, S_INR by exact K. right. field. lra.
Qed.

(** With K = (R/γ)², k ≤ K(1 + 1/2 + … + 1/k) ≤ K(1 + ln k). *)
Theorem share_half_equal u γ r zs w : separates data u γ -> within data r -> run η data zero (share (/ 2)) zs w ->
  zs <> [] -> count zs <= (r / γ) ^ 2 * (1 + harmonic (length zs)).
Proof.
  intros S L H N. pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A.
  pose proof (share_half_path _ _ _ _ L H N) as B. destruct S as [G _]. rewrite norm_zero in *.
  rewrite <- norm_square in B. destruct (some_updates zs N) as [_ K]. set (k := count zs) in *.
  assert (C : (k * (η * γ)) ^ 2 <= ‖w‖ ^ 2) by (apply pow_incr; split; [apply Rmult_le_pos; nra | lra]).
  apply (Rmult_le_reg_r (k * (η * γ) ^ 2)); [apply Rmult_lt_0_compat; [lra | apply pow_lt; nra] |].
  replace ((r / γ) ^ 2 * (1 + harmonic (length zs)) * (k * (η * γ) ^ 2)) with (k * (0 ^ 2 + (η * r) ^ 2 * (1 + harmonic (length zs)))) by (field; lra).
  apply (Rle_trans _ ((k * (η * γ)) ^ 2)); [right; ring | lra].
Qed.

(** So k ≤ t for every t = exp y ≥ K with K(1 + ln t) ≤ t. *)
Theorem share_half_bound u γ r y zs w : separates data u γ -> within data r ->
  (r / γ) ^ 2 <= exp y -> (r / γ) ^ 2 * (1 + y) <= exp y -> run η data zero (share (/ 2)) zs w -> count zs <= exp y.
Proof.
  intros S L Q B H. pose proof (pow2_ge_0 (r / γ)) as N. pose proof (exp_pos y) as P. set (K := (r / γ) ^ 2) in *.
  destruct zs as [| z zs]; [rewrite count_nil; lra |]. assert (NE : z :: zs <> []) by easy.
  pose proof (share_half_equal u γ r _ w S L H NE) as A. fold K in A. destruct (some_updates _ NE) as [LN _].
  pose proof (harmonic_below _ LN) as E0. fold (count (z :: zs)) in E0. set (h := harmonic (length (z :: zs))) in *.
  destruct (Rle_lt_dec h y) as [T | T]; [nra | exfalso]. pose proof (exp_rises_strictly y h T). nra.
Qed.

(** Such a t is 2K(1 + ln K). *)
Theorem share_half_number u γ r l zs w : separates data u γ -> within data r -> 0 <= l -> (r / γ) ^ 2 <= exp l ->
  run η data zero (share (/ 2)) zs w -> count zs <= 2 * (r / γ) ^ 2 * (1 + l).
Proof.
  intros S L G B H. pose proof (pow2_ge_0 (r / γ)) as N. set (K := (r / γ) ^ 2) in *.
  destruct zs as [| z zs]; [rewrite count_nil; nra |]. assert (NE : z :: zs <> []) by easy.
  pose proof (share_half_equal u γ r _ w S L H NE) as A. fold K in A. destruct (some_updates _ NE) as [LN K1].
  pose proof (harmonic_below _ LN) as E0. fold (count (z :: zs)) in E0. pose proof (harmonic_nonneg (length (z :: zs))) as HN.
  set (h := harmonic (length (z :: zs))) in *. apply Rnot_lt_le. intros T.
  assert (KP : 0 < K) by nra. assert (D : 1 + 2 * l < h) by (apply (Rmult_lt_reg_l K); lra).
  pose proof (exp_least (h - l) ltac:(lra)) as X. replace h with (l + (h - l)) in E0 at 1 by ring. rewrite exp_plus in E0.
  assert (Y : exp l * exp (h - l) <= exp l * (1 + h)) by (pose proof (Rmult_le_compat_r (1 + h) _ _ ltac:(lra) B); lra).
  apply Rmult_le_reg_l in Y; [nra | apply exp_pos].
Qed.

(** *** ½ < s < 1, with p = 2s *)
Theorem share_above_path start r s zs w : within data r -> / 2 < s < 1 -> run η data start (share s) zs w -> zs <> [] ->
  ⟨w, w⟩ <= product (2 * s) (length zs) * (‖start‖ ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1))).
Proof.
  intros L P H N. pose proof (pow2_ge_0 (η * r)) as Q.
  assert (I : 0 < / (2 * s - 1)) by (apply Rinv_0_lt_compat; lra).
  pose (b := fun n => product (2 * s) n * (‖start‖ ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1))) - (η * r) ^ 2 * (INR n / (2 * s - 1))).
  assert (B : ⟨w, w⟩ <= b (length zs)).
  { apply (share_growth start r s b zs w L ltac:(lra)); auto; unfold b.
    - cbn [product INR]. right. field. lra.
    - intros n K. assert (1 <= INR n) by (apply (le_INR 1); lia). rewrite product_step, S_INR by exact K. right. field. split; lra. }
  apply (Rle_trans _ _ _ B). unfold b. assert (0 <= (η * r) ^ 2 * (INR (length zs) / (2 * s - 1))); [| lra].
  apply Rmult_le_pos; [exact Q |]. apply Rmult_le_pos; [apply pos_INR | lra].
Qed.

(** k is at most G^(1/(1 − s)), with G = (‖w(0)‖ + C)/(ηγ): at most exp x if G ≤ exp((1 − s)x). *)
Theorem share_above_bound_start start u γ r s x zs w : separates data u γ -> within data r -> / 2 < s < 1 ->
  (‖start‖ + sqrt (‖start‖ ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1)))) / (η * γ) <= exp ((1 - s) * x) ->
  run η data start (share s) zs w -> count zs <= exp x.
Proof.
  intros S L P X H. pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A. destruct S as [G _].
  assert (W0 : 0 <= ‖start‖) by apply norm_nonneg. set (W := ‖start‖) in *. set (C := W ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1))) in *.
  destruct zs as [| z zs]; [rewrite count_nil; left; apply exp_pos |]. assert (NE : z :: zs <> []) by easy.
  pose proof (share_above_path start r s _ w L P H NE) as B. fold W C in B. destruct (some_updates _ NE) as [LN K].
  destruct (product_below (2 * s) _ ltac:(lra) LN) as [PP PB]. pose proof (harmonic_below _ LN) as E0. pose proof (harmonic_nonneg (length (z :: zs))) as HN.
  fold (count (z :: zs)) in E0, PB. set (k := count (z :: zs)) in *. set (h := harmonic (length (z :: zs))) in *.
  assert (CP : 0 <= C).
  { unfold C. apply Rplus_le_le_0_compat; [apply pow2_ge_0 |]. apply Rmult_le_pos; [apply pow2_ge_0 |].
    apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]. }
  pose proof (sqrt_pos C) as SC. pose proof (pow2_sqrt C CP) as SQ.
  set (q := k * exp ((2 * s - 1) * h)) in *.
  assert (Q1 : 1 <= q). { unfold q. pose proof (exp_above ((2 * s - 1) * h) ltac:(nra)). assert (0 <= (2 * s - 1) * h) by nra. nra. }
  pose proof (sqrt_pos q) as V0. pose proof (pow2_sqrt q ltac:(lra)) as V2. assert (V1 : 1 <= sqrt q) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra).
  assert (N : ‖w‖ <= sqrt q * sqrt C).
  { apply norm_at_most; [now apply Rmult_le_pos |]. rewrite Rpow_mult_distr, V2, SQ. apply (Rle_trans _ _ _ B), Rmult_le_compat_r; lra. }
  assert (EG : 0 < η * γ) by now apply Rmult_lt_0_compat.
  set (F := (W + sqrt C) / (η * γ)) in *.
  assert (T : k <= sqrt q * F).
  { apply (Rmult_le_reg_r (η * γ)); [exact EG |]. unfold F. replace (sqrt q * ((W + sqrt C) / (η * γ)) * (η * γ)) with (sqrt q * (W + sqrt C)) by (field; lra). nra. }
  assert (F0 : 0 <= F) by (unfold F; apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  apply (power_bound (F ^ 2) (2 * s) x h); [lra | lra | | exact E0 |].
  - replace ((2 - 2 * s) * x) with ((1 - s) * x + (1 - s) * x) by ring. rewrite exp_plus. pose proof (exp_pos ((1 - s) * x)).
    replace (F ^ 2) with (F * F) by ring. apply Rmult_le_compat; lra.
  - apply (Rmult_le_reg_l k); [lra |]. apply (Rle_trans _ ((sqrt q * F) ^ 2)); [replace (k * k) with (k ^ 2) by ring; apply pow_incr; lra |].
    rewrite Rpow_mult_distr, V2. unfold q. right. ring.
Qed.

(** From zero k is at most D^(1/(2 − 2s)) with D = 2sK/(2s − 1). *)
Theorem share_above_bound u γ r s x zs w : separates data u γ -> within data r -> / 2 < s < 1 ->
  2 * s * (r / γ) ^ 2 / (2 * s - 1) <= exp ((2 - 2 * s) * x) -> run η data zero (share s) zs w -> count zs <= exp x.
Proof.
  intros S L P X. apply (share_above_bound_start zero u γ r s x zs w S L P). destruct S as [G _]. rewrite norm_zero, Rplus_0_l.
  set (D := 2 * s * (r / γ) ^ 2 / (2 * s - 1)) in *. assert (EG : 0 < η * γ) by now apply Rmult_lt_0_compat.
  replace (0 ^ 2 + (η * r) ^ 2 * (2 * s / (2 * s - 1))) with (D * (η * γ) ^ 2) by (unfold D; field; lra).
  assert (D0 : 0 <= D) by (unfold D; apply Rmult_le_pos; [apply Rmult_le_pos; [lra | apply pow2_ge_0] | left; apply Rinv_0_lt_compat; lra]).
  rewrite (sqrt_mult_alt D _ D0), (sqrt_pow2 (η * γ) (Rlt_le _ _ EG)).
  replace (sqrt D * (η * γ) / (η * γ)) with (sqrt D) by (field; lra).
  rewrite <- (sqrt_pow2 (exp ((1 - s) * x))) by (left; apply exp_pos). apply sqrt_le_1_alt.
  replace (exp ((1 - s) * x) ^ 2) with (exp ((2 - 2 * s) * x)); [exact X |].
  replace ((2 - 2 * s) * x) with ((1 - s) * x + (1 - s) * x) by ring. rewrite exp_plus. ring.
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

Lemma twice_square : (sqrt 2 * r / γ) ^ 2 = 2 * (r / γ) ^ 2.
Proof. unfold Rdiv. now rewrite Rmult_assoc, square_root_2. Qed.

Theorem multiclass_share_half_bound y ts W : 2 * (r / γ) ^ 2 <= exp y -> 2 * (r / γ) ^ 2 * (1 + y) <= exp y ->
  multi_run E K η example zero (multi_share (/ 2)) ts W -> count ts <= exp y.
Proof.
  intros P Q H. rewrite <- (stacked_count E K).
  apply (share_half_bound _ _ _ η_positive _ _ _ y _ W (rows_separate _ _ _ classes _ _ separable) (rows_within _ _ _ classes _ radius));
    [now rewrite twice_square | now rewrite twice_square | now apply share_rows].
Qed.

Theorem multiclass_share_above_bound s x ts W : / 2 < s < 1 -> 2 * s * (2 * (r / γ) ^ 2) / (2 * s - 1) <= exp ((2 - 2 * s) * x) ->
  multi_run E K η example zero (multi_share s) ts W -> count ts <= exp x.
Proof.
  intros P X H. rewrite <- (stacked_count E K).
  apply (share_above_bound _ _ _ η_positive _ _ _ s x _ W (rows_separate _ _ _ classes _ _ separable) (rows_within _ _ _ classes _ radius) P);
    [now rewrite twice_square | now apply share_rows].
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
