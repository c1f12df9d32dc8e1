(** Rules that also update on examples that are right by too little. They reach a margin,
    which Rosenblatt's rule does not. *)

From Perceptron Require Import Space Online.
Require Import Lra Psatz.

(** A run has ended if no example makes it update. *)
Definition ended {E : space} (data : E -> Prop) (θ : list E -> E -> R) zs w :=
  forall z, data z -> θ zs w < ⟨w, z⟩.

(** A weight vector is not 0 if it has a positive score. *)
Lemma norm_positive (E : space) (w z : E) : 0 < ⟨w, z⟩ -> 0 < ‖w‖.
Proof.
  intros P. pose proof (norm_nonneg _ w). pose proof (inner_at_most _ w z).
  destruct (Req_dec ‖w‖ 0) as [Z |]; [rewrite Z in * |]; lra.
Qed.

(** The theorems about margins ask for one example, since without any w may be 0. *)
Lemma margin_intro (E : space) (data : E -> Prop) (w : E) g : (exists z, data z) ->
  (forall z, data z -> 0 < ⟨w, z⟩ /\ g * ‖w‖ <= ⟨w, z⟩) -> has_margin data w g.
Proof.
  intros [x X] M. split; [| intros z D; now apply M]. destruct (M x X) as [P _]. apply (norm_positive _ _ _ P).
Qed.

Section Rules.
Variables (E : space) (η : R) (data : E -> Prop).
Hypothesis η_positive : 0 < η.

(** ** The margin rule, θ = (γ′/2)‖w‖ *)
Definition relative (γ' : R) (zs : list E) (w : E) := γ' / 2 * ‖w‖.

(** An update makes ‖w + ηz‖² ≤ (‖w‖ + ηγ′/2)² + η²R², hence the length after k. *)
Lemma relative_growth start r γ' zs w : within data r -> 0 <= γ' ->
  run η data start (relative γ') zs w ->
  ‖w‖ <= count zs * (η * γ' / 2) + sqrt (‖start‖ ^ 2 + count zs * (η * r) ^ 2).
Proof.
  intros [N L] G. set (a := η * γ' / 2). set (b := (η * r) ^ 2).
  assert (A : 0 <= a) by (unfold a; nra). assert (B : 0 <= b) by apply pow2_ge_0.
  induction 1 as [| zs w z H IH D T].
  - rewrite count_nil. replace (_ + 0 * b) with (‖start‖ ^ 2) by ring.
    rewrite sqrt_pow2 by apply norm_nonneg. lra.
  - rewrite count_cons. pose proof (count_nonneg _ zs) as K.
    pose proof (norm_nonneg _ w) as P. pose proof (norm_square _ w) as W.
    set (k := count zs) in *. set (q := ‖start‖ ^ 2) in *.
    assert (Q : 0 <= q) by apply pow2_ge_0.
    pose proof (sqrt_pos (q + k * b)) as S0. pose proof (sqrt_pos (q + (k + 1) * b)) as S1.
    assert (E0 : sqrt (q + k * b) ^ 2 = q + k * b) by (apply pow2_sqrt; nra).
    assert (E1 : sqrt (q + (k + 1) * b) ^ 2 = q + (k + 1) * b) by (apply pow2_sqrt; nra).
    set (s := sqrt (q + k * b)) in *. set (t := sqrt (q + (k + 1) * b)) in *.
    assert (ST : s <= t) by (unfold s, t; apply sqrt_le_1_alt; nra).
    assert (U : ⟨w ⊕ η · z, w ⊕ η · z⟩ <= (‖w‖ + a) ^ 2 + b).
    { rewrite square_add, <- (norm_square _ z). unfold relative in T.
      pose proof (L z D). pose proof (norm_nonneg _ z).
      assert ((η * ‖z‖) ^ 2 <= b) by (apply pow_incr; nra).
      assert (η * ⟨w, z⟩ <= a * ‖w‖).
      { replace (a * ‖w‖) with (η * (γ' / 2 * ‖w‖)) by (unfold a; field). nra. }
      pose proof (pow2_ge_0 a). nra. }
    apply norm_at_most; [nra |]. apply (Rle_trans _ _ _ U).
    assert ((‖w‖ + a) ^ 2 <= (k * a + s + a) ^ 2) by (apply pow_incr; lra).
    assert ((k + 1) * a * s <= (k + 1) * a * t) by (apply Rmult_le_compat_l; nra).
    nra.
Qed.

Theorem margin_bound_start start u γ r γ' zs w : separates data u γ -> within data r ->
  0 <= γ' < 2 * γ -> run η data start (relative γ') zs w ->
  count zs <= (r / (γ - γ' / 2)) ^ 2 + 2 * ‖start‖ / (η * (γ - γ' / 2)).
Proof.
  intros S L [G G2] H. pose proof (relative_growth _ _ _ _ _ L G H) as A.
  pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as B.
  replace ((r / (γ - γ' / 2)) ^ 2) with ((η * r) ^ 2 / (η * (γ - γ' / 2)) ^ 2) by (field; lra).
  apply growth_bound; [apply Rmult_lt_0_compat; lra | apply count_nonneg | apply norm_nonneg | apply pow2_ge_0 |].
  replace (count zs * (η * (γ - γ' / 2))) with (count zs * (η * γ) - count zs * (η * γ' / 2)) by field.
  lra.
Qed.

(** On the way: ηkγ ≤ ‖w_k‖ ≤ η(kγ′/2 + √k R). *)
Theorem margin_path u γ r γ' zs w : separates data u γ -> within data r -> 0 <= γ' ->
  run η data zero (relative γ') zs w ->
  η * count zs * γ <= ‖w‖ <= η * (count zs * (γ' / 2) + sqrt (count zs) * r).
Proof.
  intros S L G H. pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A.
  pose proof (relative_growth _ _ _ _ _ L G H) as B. rewrite norm_zero in *. split; [lra |].
  replace (0 ^ 2 + count zs * (η * r) ^ 2) with (count zs * (η * r) ^ 2) in B by ring.
  destruct L as [N _]. rewrite sqrt_mult_alt, sqrt_pow2 in B by (try apply count_nonneg; nra). lra.
Qed.

Theorem margin_bound u γ r γ' zs w : separates data u γ -> within data r ->
  0 <= γ' < 2 * γ -> run η data zero (relative γ') zs w -> count zs <= (r / (γ - γ' / 2)) ^ 2.
Proof.
  intros S L G H. pose proof (margin_bound_start _ _ _ _ _ _ _ S L G H) as B.
  rewrite norm_zero in B. replace (2 * 0 / _) with 0 in B by (field; lra). lra.
Qed.

(** The bound of the lecture notes, for γ′ ≤ γ: even twice k is within it. *)
Theorem margin_bound_notes u γ r γ' zs w : separates data u γ -> within data r ->
  0 <= γ' <= γ -> run η data zero (relative γ') zs w -> 2 * count zs <= 8 * (r / γ) ^ 2.
Proof.
  intros S L [G G2] H. assert (0 < γ) by apply S.
  pose proof (margin_bound u γ r γ' zs w S L ltac:(lra) H) as B.
  assert (r / (γ - γ' / 2) <= 2 * (r / γ)).
  { destruct L as [N _]. apply (Rmult_le_reg_r (γ * (γ - γ' / 2))); [nra |].
    replace (_ * _) with (r * γ) by (field; lra).
    replace (2 * (r / γ) * _) with (r * (2 * γ - γ')) by (field; lra). nra. }
  assert (0 <= r / (γ - γ' / 2)).
  { destruct L as [N _]. apply Rmult_le_pos; [lra |]. left. apply Rinv_0_lt_compat. lra. }
  pose proof (pow_incr (r / (γ - γ' / 2)) (2 * (r / γ)) 2 ltac:(lra)). lra.
Qed.

Theorem margin_reached γ' zs w : (exists z, data z) -> 0 <= γ' -> ended data (relative γ') zs w ->
  has_margin data w (γ' / 2).
Proof.
  intros X G F. apply margin_intro; [exact X |]. intros z D. specialize (F z D). unfold relative in F.
  pose proof (norm_nonneg _ w). split; nra.
Qed.

(** ** A fixed threshold θ ≥ 0 (after Hardt and Recht 2022) *)
Definition fixed (θ : R) (zs : list E) (w : E) := θ.

Theorem threshold_bound_start start u γ r θ zs w : separates data u γ -> within data r ->
  0 <= θ -> run η data start (fixed θ) zs w ->
  count zs <= (2 * θ / η + r ^ 2) / γ ^ 2 + 2 * ‖start‖ / (η * γ).
Proof. intros S L N H. apply (bounded_rule _ _ data start η_positive u γ r (fixed θ) θ zs w); auto. unfold fixed. intros. lra. Qed.

Theorem threshold_bound u γ r θ zs w : separates data u γ -> within data r -> 0 <= θ ->
  run η data zero (fixed θ) zs w -> count zs <= (2 * θ / η + r ^ 2) / γ ^ 2.
Proof.
  intros S L N H. pose proof (threshold_bound_start _ _ _ _ _ _ _ S L N H) as B.
  rewrite norm_zero in B. destruct S. replace (2 * 0 / _) with 0 in B by (field; lra). lra.
Qed.

(** If k steps add at most B each to ‖w‖² and at least ηγ to ‖w‖, then ‖w‖ ≤ B/(ηγ). *)
Lemma length_at_most (w : E) k g B : 0 < g -> 0 <= k -> 0 <= B -> k * g <= ‖w‖ -> ⟨w, w⟩ <= k * B -> ‖w‖ * g <= B.
Proof.
  intros G K P L U. rewrite <- norm_square in U. pose proof (norm_nonneg _ w) as N.
  destruct (Req_dec ‖w‖ 0) as [Z |]; [rewrite Z; lra |].
  apply (Rmult_le_reg_l ‖w‖); [lra |]. assert (k * g * B <= ‖w‖ * B) by nra. nra.
Qed.

Theorem threshold_reached u γ r θ zs w : (exists z, data z) -> separates data u γ -> within data r -> 0 < θ ->
  run η data zero (fixed θ) zs w -> ended data (fixed θ) zs w ->
  has_margin data w (γ / (2 + η * r ^ 2 / θ)).
Proof.
  intros X S L N H F. apply margin_intro; [exact X |]. clear X. intros z D. specialize (F z D). unfold fixed in F.
  pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A.
  assert (G : ⟨w, w⟩ <= ‖(zero : E)‖ ^ 2 + count zs * (2 * η * θ + (η * r) ^ 2)).
  { apply (growth _ _ data _ η_positive r (fixed θ)); auto. unfold fixed. intros. lra. }
  rewrite norm_zero in *. assert (P : 0 < γ) by apply S.
  assert (B : ‖w‖ * (η * γ) <= 2 * η * θ + (η * r) ^ 2).
  { apply (length_at_most w (count zs)); try lra; [nra | apply count_nonneg | pose proof (pow2_ge_0 (η * r)); nra]. }
  assert (X : 0 <= η * r ^ 2) by (pose proof (pow2_ge_0 r); nra).
  split; [lra |].
  replace (γ / (2 + η * r ^ 2 / θ)) with (γ * θ / (2 * θ + η * r ^ 2)) by (field; nra).
  apply (Rmult_le_reg_r (2 * θ + η * r ^ 2)); [lra |].
  replace (_ / _ * ‖w‖ * _) with (γ * ‖w‖ * θ) by (field; lra).
  assert (γ * ‖w‖ <= 2 * θ + η * r ^ 2) by (apply (Rmult_le_reg_l η); nra).
  assert (θ * (γ * ‖w‖) <= θ * (2 * θ + η * r ^ 2)) by (apply Rmult_le_compat_l; lra). nra.
Qed.

(** As θ grows, this margin tends to γ/2, and stays below it. *)
Theorem threshold_limit γ r ε : 0 < γ -> 0 < ε -> exists θ0, 0 < θ0 /\ forall θ, θ0 <= θ ->
  γ / 2 - ε <= γ / (2 + η * r ^ 2 / θ) <= γ / 2.
Proof.
  intros P N. pose proof (pow2_ge_0 r) as Q. assert (X : 0 <= η * r ^ 2) by nra. exists ((γ * (η * r ^ 2) + ε) / ε).
  assert (T : 0 < (γ * (η * r ^ 2) + ε) / ε) by (apply Rdiv_lt_0_compat; nra). split; [exact T |]. intros θ L.
  apply (Rmult_le_compat_r ε) in L; [| lra]. replace ((γ * (η * r ^ 2) + ε) / ε * ε) with (γ * (η * r ^ 2) + ε) in L by (field; lra).
  assert (Θ : 0 < θ) by nra. assert (D : 0 < 2 * θ + η * r ^ 2) by lra.
  replace (γ / (2 + η * r ^ 2 / θ)) with (γ / 2 - γ * (η * r ^ 2) / (2 * (2 * θ + η * r ^ 2))) by (field; split; lra).
  assert (Y : 0 <= γ * (η * r ^ 2) / (2 * (2 * θ + η * r ^ 2)) <= ε); [| lra]. split.
  - apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; lra].
  - apply (Rmult_le_reg_r (2 * (2 * θ + η * r ^ 2))); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

(** ** This package's rule: θ = ηR_t², with R_t the largest norm updated on *)
Fixpoint largest (zs : list E) : R := match zs with [] => 0 | z :: zs => Rmax ‖z‖ (largest zs) end.
Definition adaptive (zs : list E) (w : E) := η * largest zs ^ 2.

Lemma largest_nonneg zs : 0 <= largest zs.
Proof. induction zs; simpl; [lra |]. now apply (Rle_trans _ (largest zs)); [| apply Rmax_r]. Qed.

Lemma largest_within r zs : within data r -> Forall data zs -> largest zs <= r.
Proof. intros [N L]. induction 1; simpl; [easy |]. apply Rmax_lub; auto. Qed.

(** Each update adds at most 2ηθ + η²‖z‖² ≤ 3η²R_t² to ‖w‖², for the R_t after it. *)
Lemma adaptive_growth start zs w : run η data start adaptive zs w ->
  ⟨w, w⟩ <= ‖start‖ ^ 2 + count zs * (3 * (η * largest zs) ^ 2).
Proof.
  induction 1 as [| zs w z _ IH D T].
  - rewrite count_nil, norm_square. lra.
  - rewrite count_cons, square_add, <- (norm_square _ z). unfold adaptive in T. simpl largest.
    pose proof (largest_nonneg zs). pose proof (norm_nonneg _ z). pose proof (count_nonneg _ zs).
    pose proof (Rmax_l ‖z‖ (largest zs)). pose proof (Rmax_r ‖z‖ (largest zs)).
    set (t := Rmax ‖z‖ (largest zs)) in *.
    assert ((η * ‖z‖) ^ 2 <= (η * t) ^ 2) by (apply pow_incr; nra).
    assert ((η * largest zs) ^ 2 <= (η * t) ^ 2) by (apply pow_incr; nra).
    assert (η * ⟨w, z⟩ <= (η * largest zs) ^ 2) by nra.
    assert (count zs * (η * largest zs) ^ 2 <= count zs * (η * t) ^ 2) by nra. nra.
Qed.

(** The bound even has R_t for R. It asks nothing of examples never updated on, and
    longer rows may come later. *)
Theorem adaptive_bound_start start u γ zs w : separates data u γ ->
  run η data start adaptive zs w ->
  count zs <= 3 * (largest zs / γ) ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S H. pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A.
  pose proof (adaptive_growth _ _ _ H) as G. destruct S as [P _].
  replace (3 * (largest zs / γ) ^ 2) with (3 * (η * largest zs) ^ 2 / (η * γ) ^ 2) by (field; lra).
  apply growth_bound; [nra | apply count_nonneg | apply norm_nonneg | |].
  - pose proof (pow2_ge_0 (η * largest zs)). lra.
  - apply (Rle_trans _ _ _ A), sqrt_le_1_alt, G.
Qed.

Theorem adaptive_bound u γ r zs w : separates data u γ -> within data r ->
  run η data zero adaptive zs w -> count zs <= 3 * (r / γ) ^ 2.
Proof.
  intros S L H. pose proof (adaptive_bound_start _ _ _ _ _ S H) as B.
  rewrite norm_zero in B. destruct S as (P & _).
  replace (2 * 0 / _) with 0 in B by (field; lra).
  pose proof (largest_within _ _ L (run_data _ _ _ _ _ _ _ H)). pose proof (largest_nonneg zs).
  assert (I : 0 < / γ) by now apply Rinv_0_lt_compat.
  assert ((largest zs / γ) ^ 2 <= (r / γ) ^ 2) by (apply pow_incr; unfold Rdiv; nra). lra.
Qed.

Theorem adaptive_reached u γ zs w : (exists z, data z) -> separates data u γ -> run η data zero adaptive zs w ->
  ended data adaptive zs w -> has_margin data w (γ / 3).
Proof.
  intros X S H F. apply margin_intro; [exact X |]. clear X. intros z D. specialize (F z D). unfold adaptive in F.
  pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A.
  pose proof (adaptive_growth _ _ _ H) as G. rewrite norm_zero in *.
  assert (P : 0 < γ) by apply S. pose proof (pow2_ge_0 (largest zs)) as Q.
  assert (B : ‖w‖ * (η * γ) <= 3 * (η * largest zs) ^ 2).
  { apply (length_at_most w (count zs)); try lra; [nra | apply count_nonneg | pose proof (pow2_ge_0 (η * largest zs)); lra]. }
  assert (‖w‖ * γ <= 3 * (η * largest zs ^ 2)) by (apply (Rmult_le_reg_l η); nra).
  split; nra.
Qed.
End Rules.
