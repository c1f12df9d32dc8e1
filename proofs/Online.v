(** Rosenblatt's rule, from zero and from any start, on separable and on inseparable data.

    η is the rate, γ the margin, u a unit vector. The radius R of the papers is r here,
    since Coq calls the reals R. An example z is yx; in Affine space it is y(x, 1). *)

From Perceptron Require Import Space.
Require Import Lra Psatz Permutation.

(** The rows of a list as data. *)
Notation data_of rows := (fun z => In z rows).

(** No example is longer than r. *)
Definition within {E : space} (data : E -> Prop) (r : R) :=
  0 <= r /\ forall z, data z -> ‖z‖ <= r.

(** The hyperplane w has a margin of at least g: ⟨w, z⟩/‖w‖ ≥ g on every example. *)
Definition has_margin {E : space} (data : E -> Prop) (w : E) (g : R) :=
  0 < ‖w‖ /\ forall z, data z -> g * ‖w‖ <= ⟨w, z⟩.

(** u separates the data with the margin γ > 0. *)
Definition separates {E : space} (data : E -> Prop) (u : E) (γ : R) := 0 < γ /\ has_margin data u γ.

Lemma norm_unit (E : space) (u : E) : 0 < ‖u‖ -> ‖(/ ‖u‖ · u)‖ = 1.
Proof.
  intros P. unfold norm at 1. rewrite inner_scale, inner_scale_r, <- norm_square, <- sqrt_1. f_equal. field. lra.
Qed.

(** The proofs use a unit vector. *)
Lemma unit_margin (E : space) (data : E -> Prop) u g : has_margin data u g ->
  exists v, ‖v‖ = 1 /\ forall z, data z -> g <= ⟨v, z⟩.
Proof.
  intros [P M]. exists (/ ‖u‖ · u). split; [now apply norm_unit |]. intros z D. rewrite inner_scale.
  specialize (M z D). apply (Rmult_le_reg_l ‖u‖); [exact P |]. rewrite <- Rmult_assoc, Rinv_r; lra.
Qed.

(** A run makes the update w ← w + ηz on examples with ⟨w, z⟩ ≤ θ, in any order, and
    any number of times. It lists the examples updated on, the last one first. The
    threshold θ may depend on this list and on w. *)
Inductive run {E : space} (η : R) (data : E -> Prop) (start : E) (θ : list E -> E -> R)
  : list E -> E -> Prop :=
| begin : run η data start θ [] start
| update zs w z : run η data start θ zs w -> data z -> ⟨w, z⟩ <= θ zs w ->
    run η data start θ (z :: zs) (w ⊕ η · z).

(** Rosenblatt's rule: θ = 0. *)
Definition mistakes {E : space} (zs : list E) (w : E) : R := 0.

Section Runs.
Variables (E : space) (η : R) (data : E -> Prop) (start : E).
Hypothesis η_positive : 0 < η.

(** The weights are the start and η times the sum of the examples updated on. *)
Lemma run_sum θ zs w : run η data start θ zs w ->
  forall v, ⟨v, w⟩ = ⟨v, start⟩ + η * ⟨v, total zs⟩.
Proof.
  induction 1 as [| zs w z _ IH _ _]; intros v; simpl.
  - rewrite inner_zero_r. ring.
  - rewrite !inner_add_r, inner_scale_r, IH. ring.
Qed.

Lemma run_data θ zs w : run η data start θ zs w -> Forall data zs.
Proof. induction 1; now constructor. Qed.

(** Each update adds at least ηγ to ⟨u, w⟩. *)
Lemma alignment u γ θ zs w : (forall z, data z -> γ <= ⟨u, z⟩) -> run η data start θ zs w ->
  ⟨u, start⟩ + count zs * (η * γ) <= ⟨u, w⟩.
Proof.
  intros M. induction 1 as [| zs w z _ IH D _].
  - rewrite count_nil. lra.
  - rewrite count_cons, inner_add_r, inner_scale_r. pose proof (M z D). nra.
Qed.

(** So ‖w‖ ≥ ηkγ − ‖w(0)‖. *)
Lemma reach u γ θ zs w : separates data u γ -> run η data start θ zs w ->
  count zs * (η * γ) - ‖start‖ <= ‖w‖.
Proof.
  intros [_ S] H. apply unit_margin in S as (v & U & M). pose proof (alignment _ _ _ _ _ M H).
  pose proof (inner_at_most _ v w). pose proof (inner_at_least _ v start).
  rewrite U in *. lra.
Qed.

(** An update with θ ≤ c adds at most 2ηc + η²R² to ‖w‖². *)
Lemma growth r θ c zs w : within data r -> (forall zs w, Forall data zs -> θ zs w <= c) ->
  run η data start θ zs w ->
  ⟨w, w⟩ <= ‖start‖ ^ 2 + count zs * (2 * η * c + (η * r) ^ 2).
Proof.
  intros [_ L] C. induction 1 as [| zs w z H IH D T].
  - rewrite count_nil, norm_square. lra.
  - rewrite count_cons, square_add, <- (norm_square _ z).
    pose proof (L z D). pose proof (C zs w (run_data _ _ _ H)). pose proof (norm_nonneg _ z).
    assert (η * ⟨w, z⟩ <= η * c) by nra.
    assert ((η * ‖z‖) ^ 2 <= (η * r) ^ 2) by (apply pow_incr; nra). nra.
Qed.

(** The general bound for θ ≤ c, from any start. Novikoff's and that of a fixed θ are
    cases of it. *)
Lemma bounded_rule u γ r θ c zs w : separates data u γ -> within data r -> 0 <= c ->
  (forall zs w, Forall data zs -> θ zs w <= c) -> run η data start θ zs w ->
  count zs <= (2 * c / η + r ^ 2) / γ ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S L N C H. pose proof (reach _ _ _ _ _ S H) as A.
  pose proof (growth _ _ _ _ _ L C H) as G. destruct S as [P _].
  replace ((2 * c / η + r ^ 2) / γ ^ 2) with ((2 * η * c + (η * r) ^ 2) / (η * γ) ^ 2)
    by (field; lra).
  apply growth_bound; [nra | apply count_nonneg | apply norm_nonneg | |].
  - pose proof (pow2_ge_0 (η * r)). nra.
  - apply (Rle_trans _ _ _ A), sqrt_le_1_alt, G.
Qed.

(** ** Any start *)

(** On the way (Snapp): A k² ≤ ‖w(k) − w(0)‖² ≤ B k, with A = (ηγ)², B = η(ηR² − μ) and
    μ = min(0, 2 min ⟨w(0), z⟩), or any number below. *)
Theorem start_envelope u γ r μ zs w : separates data u γ -> within data r ->
  μ <= 0 -> (forall z, data z -> μ <= 2 * ⟨start, z⟩) -> run η data start mistakes zs w ->
  (η * γ) ^ 2 * count zs ^ 2 <= ‖(w ⊕ -1 · start)‖ ^ 2 <= η * (η * r ^ 2 - μ) * count zs.
Proof.
  intros S L N M H. split.
  - destruct S as [P S]. apply unit_margin in S as (v & U & V). pose proof (alignment _ _ _ _ _ V H) as A.
    pose proof (inner_at_most _ v (w ⊕ -1 · start)) as C.
    rewrite U, inner_add_r, inner_scale_r in C. pose proof (count_nonneg _ zs).
    rewrite <- Rpow_mult_distr. apply pow_incr.
    split; [repeat apply Rmult_le_pos |]; lra.
  - rewrite norm_square. destruct L as [_ L]. induction H as [| zs w z _ IH D T].
    + rewrite count_nil, square_add. lra.
    + unfold mistakes in T. specialize (L z D). specialize (M z D).
      pose proof (norm_nonneg _ z). pose proof (norm_square _ z).
      rewrite square_add in IH. rewrite count_cons, !square_add, inner_add, inner_scale.
      rewrite (inner_sym _ z start).
      assert (η * ⟨w, z⟩ <= 0) by nra.
      assert (η * μ <= η * (2 * ⟨start, z⟩)) by nra.
      assert (‖z‖ ^ 2 <= r ^ 2) by (apply pow_incr; nra).
      assert (η ^ 2 * ⟨z, z⟩ <= η ^ 2 * r ^ 2) by (apply Rmult_le_compat_l; nra). nra.
Qed.

Theorem start_bound_snapp u γ r μ zs w : separates data u γ -> within data r ->
  μ <= 0 -> (forall z, data z -> μ <= 2 * ⟨start, z⟩) -> run η data start mistakes zs w ->
  count zs <= (r ^ 2 - μ / η) / γ ^ 2.
Proof.
  intros S L N M H. destruct (start_envelope _ _ _ _ _ _ S L N M H) as [A B].
  destruct S as [P _]. pose proof (count_nonneg _ zs) as K.
  apply (Rmult_le_reg_r ((η * γ) ^ 2)); [apply pow_lt; nra |].
  replace (_ / γ ^ 2 * (η * γ) ^ 2) with (η * (η * r ^ 2 - μ)) by (field; lra).
  assert (0 <= η * (η * r ^ 2 - μ)) by (pose proof (pow2_ge_0 r); apply Rmult_le_pos; nra).
  destruct (Req_dec (count zs) 0) as [-> |]; [lra |].
  apply (Rmult_le_reg_r (count zs)); nra.
Qed.

Theorem start_bound u γ r zs w : separates data u γ -> within data r ->
  run η data start mistakes zs w -> count zs <= (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S L H. replace ((r / γ) ^ 2) with ((2 * 0 / η + r ^ 2) / γ ^ 2).
  - apply (bounded_rule u γ r mistakes 0 zs w); auto; unfold mistakes; intros; lra.
  - destruct S. field. lra.
Qed.

(** Neither bound is always smaller: [start_bound]'s is if and only if −μ > 2γ‖w(0)‖. *)
Theorem start_bounds_compare γ r μ : 0 < γ ->
  (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ) < (r ^ 2 - μ / η) / γ ^ 2 <-> 2 * γ * ‖start‖ < - μ.
Proof.
  intros P. assert (Q : 0 < η * γ ^ 2) by (apply Rmult_lt_0_compat; [lra | now apply pow_lt]).
  replace ((r / γ) ^ 2 + 2 * ‖start‖ / (η * γ)) with (r ^ 2 / γ ^ 2 + 2 * γ * ‖start‖ / (η * γ ^ 2)) by (field; lra).
  replace ((r ^ 2 - μ / η) / γ ^ 2) with (r ^ 2 / γ ^ 2 + - μ / (η * γ ^ 2)) by (field; lra).
  split; intros H; [apply Rplus_lt_reg_l, (Rmult_lt_compat_r (η * γ ^ 2)) in H; [| exact Q] | apply Rplus_lt_compat_l, (Rmult_lt_reg_r (η * γ ^ 2)); [exact Q |]];
    unfold Rdiv in *; rewrite !Rmult_assoc, Rinv_l in * by lra; lra.
Qed.
End Runs.

Section FromZero.
Variables (E : space) (η : R) (data : E -> Prop).
Hypothesis η_positive : 0 < η.

(** ** Every run bounds the margin *)
Theorem margin_from_run u γ θ zs w : separates data u γ -> run η data zero θ zs w ->
  0 < count zs -> γ <= ‖w‖ / (η * count zs).
Proof.
  intros S H K. pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A.
  rewrite norm_zero in A. apply (Rmult_le_reg_r (η * count zs)); [nra |].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; nra.
Qed.

(** ** Novikoff 1962 *)

(** An update on a mistake adds at most η²R² to ‖w‖², so ‖w_k‖ ≤ η√k R. *)
Lemma length_of_run r zs w : within data r -> run η data zero mistakes zs w ->
  ‖w‖ <= η * sqrt (count zs) * r.
Proof.
  intros L H. pose proof (count_nonneg _ zs) as K. pose proof (sqrt_pos (count zs)).
  assert (G : ⟨w, w⟩ <= ‖(zero : E)‖ ^ 2 + count zs * (2 * η * 0 + (η * r) ^ 2)).
  { apply (growth _ _ data _ η_positive r mistakes); auto. intros. unfold mistakes. lra. }
  rewrite norm_zero in G. destruct L as [N _].
  apply norm_at_most; [repeat apply Rmult_le_pos; lra |].
  replace ((η * sqrt (count zs) * r) ^ 2) with (sqrt (count zs) ^ 2 * (η * r) ^ 2) by ring.
  rewrite pow2_sqrt; lra.
Qed.

Theorem novikoff_path u γ r zs w : separates data u γ -> within data r ->
  run η data zero mistakes zs w -> η * count zs * γ <= ‖w‖ <= η * sqrt (count zs) * r.
Proof.
  intros S L H. split; [| now apply length_of_run].
  pose proof (reach _ _ _ _ η_positive _ _ _ _ _ S H) as A. rewrite norm_zero in A. lra.
Qed.

Theorem novikoff u γ r zs w : separates data u γ -> within data r ->
  run η data zero mistakes zs w -> count zs <= (r / γ) ^ 2.
Proof.
  intros S L H. pose proof (start_bound _ _ _ _ η_positive _ _ _ _ _ S L H) as B.
  rewrite norm_zero in B. destruct S. replace (2 * 0 / (η * γ)) with 0 in B by (field; lra). lra.
Qed.

(** The bubble: every w_k lies in the ball whose diameter goes from 0 to (ηR²/γ)u. In it, each mistake
    climbs by ηγ at least, and the ball is ηR²/γ high. *)
Theorem bubble u γ r zs w : 0 < γ -> ‖u‖ = 1 -> (forall z, data z -> γ <= ⟨u, z⟩) -> within data r ->
  run η data zero mistakes zs w -> ‖w‖ ^ 2 <= η * r ^ 2 / γ * ⟨u, w⟩ /\ count zs * (η * γ) <= ⟨u, w⟩ <= η * r ^ 2 / γ.
Proof.
  intros P U M L H. pose proof (alignment _ _ _ _ η_positive _ _ _ _ _ M H) as A. rewrite inner_zero_r, Rplus_0_l in A.
  pose proof (length_of_run _ _ _ L H) as G. pose proof (norm_nonneg _ w) as N. pose proof (count_nonneg _ zs) as K.
  assert (B : ‖w‖ ^ 2 <= η * r ^ 2 / γ * ⟨u, w⟩).
  { apply (Rle_trans _ (η * r ^ 2 / γ * (count zs * (η * γ)))).
    - replace (η * r ^ 2 / γ * (count zs * (η * γ))) with ((η * sqrt (count zs) * r) ^ 2).
      + apply pow_incr. lra.
      + rewrite !Rpow_mult_distr, pow2_sqrt by exact K. field. lra.
    - apply Rmult_le_compat_l; [| exact A]. apply Rmult_le_pos; [pose proof (pow2_ge_0 r); nra | left; now apply Rinv_0_lt_compat]. }
  split; [exact B | split; [exact A |]]. pose proof (inner_at_most _ u w) as C. rewrite U, Rmult_1_l in C.
  destruct (Rle_lt_dec ⟨u, w⟩ 0) as [Z | Z].
  - apply (Rle_trans _ 0); [exact Z |]. apply Rmult_le_pos; [pose proof (pow2_ge_0 r); nra | left; now apply Rinv_0_lt_compat].
  - apply (Rmult_le_reg_r ⟨u, w⟩); [exact Z |]. apply (Rle_trans _ (‖w‖ ^ 2)); [nra | exact B].
Qed.

(** ** Inseparable data *)

(** What an example lacks to the margin γ; L and D² over a list of examples. *)
Definition lack (u : E) (γ : R) (z : E) := Rmax 0 (γ - ⟨u, z⟩).
Definition sum_lacks u γ zs := fold_right (fun z s => lack u γ z + s) 0 zs.
Definition sum_squared_lacks u γ zs := fold_right (fun z s => lack u γ z ^ 2 + s) 0 zs.

Lemma lack_nonneg u γ z : 0 <= lack u γ z.
Proof. apply Rmax_l. Qed.

Lemma sum_lacks_nonneg u γ zs : 0 <= sum_lacks u γ zs.
Proof. induction zs as [| z]; simpl; [| pose proof (lack_nonneg u γ z)]; lra. Qed.

(** k mistakes make ⟨u, w⟩ ≥ η(kγ − L), and so kγ ≤ √k R + L. *)
Lemma inseparable_path u γ r zs w : ‖u‖ = 1 -> within data r ->
  run η data zero mistakes zs w -> count zs * γ <= sqrt (count zs) * r + sum_lacks u γ zs.
Proof.
  intros U L H. pose proof (length_of_run _ _ _ L H) as G.
  pose proof (inner_at_most _ u w) as C. rewrite U in C.
  assert (A : η * (count zs * γ - sum_lacks u γ zs) <= ⟨u, w⟩).
  { clear G C. induction H as [| zs w z _ IH _ _]; simpl.
    - rewrite inner_zero_r, count_nil. lra.
    - rewrite count_cons, inner_add_r, inner_scale_r.
      pose proof (Rmax_r 0 (γ - ⟨u, z⟩)). unfold lack. nra. }
  apply (Rmult_le_reg_l η); nra.
Qed.

(** (Σd)² ≤ kΣd². *)
Lemma sum_lacks_square u γ zs :
  sum_lacks u γ zs ^ 2 <= count zs * sum_squared_lacks u γ zs.
Proof.
  induction zs as [| z zs IH]; simpl sum_lacks; simpl sum_squared_lacks.
  - rewrite count_nil. lra.
  - rewrite count_cons. set (d := lack u γ z). pose proof (count_nonneg _ zs) as K.
    set (s := sum_lacks u γ zs) in *. set (q := sum_squared_lacks u γ zs) in *.
    set (k := count zs) in *.
    destruct (Req_dec k 0) as [Z | Z].
    + rewrite Z in *. assert (s = 0) by nra. assert (0 <= q); [| nra].
      unfold q. clear. induction zs as [| x]; simpl; [lra |]. pose proof (pow2_ge_0 (lack u γ x)). lra.
    + assert (2 * s * d <= q + k * d ^ 2); [| nra].
      apply (Rmult_le_reg_l k); [lra |]. pose proof (pow2_ge_0 (s - k * d)). nra.
Qed.

Lemma square_of_root k c : 0 <= k -> sqrt k <= c -> k <= c ^ 2.
Proof. intros K H. rewrite <- (pow2_sqrt k K). apply pow_incr. split; [apply sqrt_pos | exact H]. Qed.

(** Freund and Schapire 1999, Theorem 2: D² is summed over the mistakes. *)
Theorem inseparable_bound_freund_schapire u γ r zs w : 0 < γ -> ‖u‖ = 1 -> within data r ->
  run η data zero mistakes zs w ->
  count zs <= ((r + sqrt (sum_squared_lacks u γ zs)) / γ) ^ 2.
Proof.
  intros P U L H. pose proof (inseparable_path _ γ _ _ _ U L H) as A.
  pose proof (count_nonneg _ zs) as K. apply square_of_root; [exact K |].
  assert (B : sum_lacks u γ zs <= sqrt (count zs) * sqrt (sum_squared_lacks u γ zs)).
  { rewrite <- sqrt_mult_alt by exact K. rewrite <- (sqrt_pow2 (sum_lacks u γ zs)).
    - apply sqrt_le_1_alt, sum_lacks_square.
    - apply sum_lacks_nonneg. }
  pose proof (sqrt_pos (count zs)) as Q. pose proof (pow2_sqrt _ K) as E2.
  pose proof (sqrt_pos (sum_squared_lacks u γ zs)) as DP. destruct L as [N _].
  set (q := sqrt (count zs)) in *. set (D := sqrt (sum_squared_lacks u γ zs)) in *.
  apply (Rmult_le_reg_r γ); [exact P |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  destruct (Req_dec q 0) as [Z | Z]; [nra |]. apply (Rmult_le_reg_l q); nra.
Qed.

(** This package's: the quadratic inequality kγ ≤ √k R + L, solved for √k. *)
Theorem inseparable_bound u γ r zs w : 0 < γ -> ‖u‖ = 1 -> within data r ->
  run η data zero mistakes zs w ->
  count zs <= ((r + sqrt (r ^ 2 + 4 * γ * sum_lacks u γ zs)) / (2 * γ)) ^ 2.
Proof.
  intros P U L H. pose proof (inseparable_path _ γ _ _ _ U L H) as A.
  pose proof (count_nonneg _ zs) as K. apply square_of_root; [exact K |].
  pose proof (sum_lacks_nonneg u γ zs) as LP. destruct L as [N _].
  assert (M : 0 <= r ^ 2 + 4 * γ * sum_lacks u γ zs) by nra.
  pose proof (pow2_sqrt _ K) as E2. pose proof (sqrt_pos (count zs)) as Q.
  pose proof (pow2_sqrt _ M) as F2. pose proof (sqrt_pos (r ^ 2 + 4 * γ * sum_lacks u γ zs)) as T.
  set (q := sqrt (count zs)) in *. set (t := sqrt (r ^ 2 + 4 * γ * sum_lacks u γ zs)) in *.
  apply (Rmult_le_reg_r (2 * γ)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  assert ((2 * γ * q - r) ^ 2 <= t ^ 2) by nra. nra.
Qed.

(** T epochs count every row T times: √T·D and T·L, with D and L over the rows once. *)
Lemma lacks_append u γ xs zs : sum_lacks u γ (xs ++ zs) = sum_lacks u γ xs + sum_lacks u γ zs /\
  sum_squared_lacks u γ (xs ++ zs) = sum_squared_lacks u γ xs + sum_squared_lacks u γ zs.
Proof.
  unfold sum_lacks, sum_squared_lacks. induction xs as [| x xs [A B]]; cbn [app fold_right]; [split; ring |].
  rewrite A, B. split; ring.
Qed.

Lemma lacks_permuted u γ xs zs : Permutation xs zs -> sum_lacks u γ xs = sum_lacks u γ zs /\
  sum_squared_lacks u γ xs = sum_squared_lacks u γ zs.
Proof.
  unfold sum_lacks, sum_squared_lacks. induction 1 as [| x xs zs _ [A B] | x y xs | xs ys zs _ [A B] _ [C D]]; cbn [fold_right];
    [easy | rewrite A, B; easy | split; ring | now rewrite A, B].
Qed.

Lemma lacks_repeated u γ rows T : sum_lacks u γ (concat (repeat rows T)) = INR T * sum_lacks u γ rows /\
  sum_squared_lacks u γ (concat (repeat rows T)) = INR T * sum_squared_lacks u γ rows.
Proof.
  induction T as [| T [A B]]; [split; cbn; ring |]. cbn [repeat concat].
  destruct (lacks_append u γ rows (concat (repeat rows T))) as [C D]. rewrite C, D, A, B, S_INR. split; ring.
Qed.

Lemma squared_lacks_nonneg u γ zs : 0 <= sum_squared_lacks u γ zs.
Proof. induction zs as [| z zs IH]; simpl; [lra |]. pose proof (pow2_ge_0 (lack u γ z)). lra. Qed.

(** The updates of T epochs are some of the rows, each repeated T times. *)
Definition in_epochs (T : nat) (rows zs : list E) := exists others, Permutation (zs ++ others) (concat (repeat rows T)).

Theorem inseparable_bound_epochs u γ r T rows zs w : 0 < γ -> ‖u‖ = 1 -> within data r -> in_epochs T rows zs ->
  run η data zero mistakes zs w ->
  count zs <= ((r + sqrt (INR T) * sqrt (sum_squared_lacks u γ rows)) / γ) ^ 2 /\
  count zs <= ((r + sqrt (r ^ 2 + 4 * γ * (INR T * sum_lacks u γ rows))) / (2 * γ)) ^ 2.
Proof.
  intros P U L [others Q] H. destruct (lacks_permuted u γ _ _ Q) as [A B].
  destruct (lacks_append u γ zs others) as [C D]. destruct (lacks_repeated u γ rows T) as [F G].
  rewrite C, F in A. rewrite D, G in B. pose proof (sum_lacks_nonneg u γ others).
  pose proof (squared_lacks_nonneg u γ others). pose proof L as [N _]. split.
  - apply (Rle_trans _ _ _ (inseparable_bound_freund_schapire u γ r zs w P U L H)). rewrite <- sqrt_mult_alt by apply pos_INR.
    pose proof (sqrt_le_1_alt (sum_squared_lacks u γ zs) (INR T * sum_squared_lacks u γ rows) ltac:(lra)).
    pose proof (sqrt_pos (sum_squared_lacks u γ zs)). assert (0 < / γ) by now apply Rinv_0_lt_compat.
    apply pow_incr. unfold Rdiv. split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra].
  - apply (Rle_trans _ _ _ (inseparable_bound u γ r zs w P U L H)).
    assert (M : 4 * γ * sum_lacks u γ zs <= 4 * γ * (INR T * sum_lacks u γ rows)) by (apply Rmult_le_compat_l; lra).
    pose proof (sqrt_le_1_alt (r ^ 2 + 4 * γ * sum_lacks u γ zs) (r ^ 2 + 4 * γ * (INR T * sum_lacks u γ rows)) ltac:(lra)).
    pose proof (sqrt_pos (r ^ 2 + 4 * γ * sum_lacks u γ zs)). assert (0 < / (2 * γ)) by (apply Rinv_0_lt_compat; lra).
    apply pow_incr. unfold Rdiv. split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra].
Qed.
End FromZero.
