(** Rosenblatt's rule with rounding, as float64 computes it. *)

From Perceptron Require Import Space Online.
Require Import Lra Psatz Lia Permutation.

(** ** Any scores with an error of at most ε, and any updates with one of at most Δ *)

(** An update happens where the computed score s is not positive. Then ⟨w, z⟩ ≤ ε. *)
Inductive rounded_run {E : space} (η ε Δ : R) (data : E -> Prop) (start : E) : list E -> E -> Prop :=
| rounded_begin : rounded_run η ε Δ data start [] start
| rounded_update zs w z s v : rounded_run η ε Δ data start zs w -> data z ->
    Rabs (s - ⟨w, z⟩) <= ε -> s <= 0 -> ‖(v ⊕ -1 · (w ⊕ η · z))‖ <= Δ ->
    rounded_run η ε Δ data start (z :: zs) v.

Section Rounded.
Variables (E : space) (η ε Δ : R) (data : E -> Prop) (start : E).
Hypothesis η_positive : 0 < η.
Hypothesis ε_nonneg : 0 <= ε.
Hypothesis Δ_nonneg : 0 <= Δ.

Lemma inner_close (u v x : E) : ‖u‖ = 1 -> ‖(v ⊕ -1 · x)‖ <= Δ -> ⟨u, x⟩ - Δ <= ⟨u, v⟩.
Proof.
  intros U D. pose proof (inner_at_least _ u (v ⊕ -1 · x)) as C. rewrite U, inner_add_r, inner_scale_r in C. lra.
Qed.

Lemma norm_close (v x : E) : ‖(v ⊕ -1 · x)‖ <= Δ -> ‖v‖ <= ‖x‖ + Δ.
Proof.
  intros D. pose proof (norm_nonneg _ x) as N. apply norm_at_most; [lra |].
  pose proof (inner_at_most _ (v ⊕ -1 · x) x) as C. pose proof (norm_nonneg _ (v ⊕ -1 · x)) as P.
  pose proof (square_add _ v (-1) x) as Q. rewrite <- (norm_square _ (v ⊕ -1 · x)) in Q.
  rewrite inner_add, inner_scale in C. rewrite <- (norm_square _ x) in *.
  set (e := ‖(v ⊕ -1 · x)‖) in *. nra.
Qed.

(** Each update adds at least ηγ − Δ to ⟨u, w⟩. *)
Lemma rounded_alignment (u : E) γ zs w : ‖u‖ = 1 -> (forall z, data z -> γ <= ⟨u, z⟩) ->
  rounded_run η ε Δ data start zs w -> ⟨u, start⟩ + count zs * (η * γ - Δ) <= ⟨u, w⟩.
Proof.
  intros U M. induction 1 as [| zs w z s v _ IH D _ _ F].
  - rewrite count_nil. lra.
  - rewrite count_cons. apply (inner_close u v _ U) in F. rewrite inner_add_r, inner_scale_r in F.
    pose proof (M z D). nra.
Qed.

(** And ‖w‖ ≤ kΔ + √(‖w(0)‖² + k(2ηε + η²R²)). *)
Lemma rounded_growth r zs w : within data r -> rounded_run η ε Δ data start zs w ->
  ‖w‖ <= count zs * Δ + sqrt (‖start‖ ^ 2 + count zs * (2 * η * ε + (η * r) ^ 2)).
Proof.
  intros [N L]. set (b := 2 * η * ε + (η * r) ^ 2).
  assert (B : 0 <= b) by (unfold b; pose proof (pow2_ge_0 (η * r)); nra).
  induction 1 as [| zs w z s v H IH D X T F].
  - rewrite count_nil. replace (_ + 0 * b) with (‖start‖ ^ 2) by ring.
    rewrite sqrt_pow2 by apply norm_nonneg. lra.
  - rewrite count_cons. pose proof (count_nonneg _ zs) as K. pose proof (norm_nonneg _ w) as P.
    set (k := count zs) in *. set (q := ‖start‖ ^ 2) in *. assert (Q : 0 <= q) by apply pow2_ge_0.
    pose proof (sqrt_pos (q + k * b)) as S0. pose proof (sqrt_pos (q + (k + 1) * b)) as S1.
    assert (E0 : sqrt (q + k * b) ^ 2 = q + k * b) by (apply pow2_sqrt; nra).
    assert (E1 : sqrt (q + (k + 1) * b) ^ 2 = q + (k + 1) * b) by (apply pow2_sqrt; nra).
    assert (ST : sqrt (q + k * b) <= sqrt (q + (k + 1) * b)) by (apply sqrt_le_1_alt; nra).
    set (s0 := sqrt (q + k * b)) in *. set (s1 := sqrt (q + (k + 1) * b)) in *.
    apply (Rle_trans _ _ _ (norm_close v _ F)).
    assert (G : ‖(w ⊕ η · z)‖ <= k * Δ + s1); [| lra].
    apply norm_at_most; [nra |]. rewrite square_add, <- (norm_square _ z), <- (norm_square _ w).
    assert (Y : ⟨w, z⟩ <= ε) by (pose proof (Rle_abs (- (s - ⟨w, z⟩))) as A; rewrite Rabs_Ropp in A; lra).
    specialize (L z D). pose proof (norm_nonneg _ z).
    assert ((η * ‖z‖) ^ 2 <= (η * r) ^ 2) by (apply pow_incr; nra).
    assert (η * ⟨w, z⟩ <= η * ε) by (apply Rmult_le_compat_l; lra).
    assert (‖w‖ ^ 2 <= (k * Δ + s0) ^ 2) by (apply pow_incr; lra).
    assert (k * Δ * s0 <= k * Δ * s1) by (apply Rmult_le_compat_l; nra). unfold b in *. nra.
Qed.

Theorem rounded_bound u γ r zs w : separates data u γ -> within data r -> 2 * Δ < η * γ ->
  rounded_run η ε Δ data start zs w ->
  count zs <= (η ^ 2 * r ^ 2 + 2 * η * ε) / (η * γ - 2 * Δ) ^ 2 + 2 * ‖start‖ / (η * γ - 2 * Δ).
Proof.
  intros [P S] L G H. apply unit_margin in S as (v & U & M).
  pose proof (rounded_alignment v γ zs w U M H) as A. pose proof (rounded_growth r zs w L H) as B.
  pose proof (inner_at_most _ v w) as C. pose proof (inner_at_least _ v start) as D. rewrite U in *.
  apply growth_bound; [lra | apply count_nonneg | apply norm_nonneg | pose proof (pow2_ge_0 (η * r)); nra |].
  replace (η ^ 2 * r ^ 2 + 2 * η * ε) with (2 * η * ε + (η * r) ^ 2) by ring. lra.
Qed.
End Rounded.

(** ** The errors of float64's + and ×, if no result overflows: u = 2⁻⁵³ and τ = 2⁻¹⁰⁷⁵ *)
Section Float.
Variables (plus times : R -> R -> R) (u τ : R).
Hypothesis u_nonneg : 0 <= u.
Hypothesis τ_nonneg : 0 <= τ.
Hypothesis plus_error : forall a b, Rabs (plus a b - (a + b)) <= u * Rabs (a + b).
Hypothesis times_error : forall a b, Rabs (times a b - a * b) <= u * Rabs (a * b) + τ.

(** s is a computed sum of numbers, of which each passes through at most h additions. *)
Inductive summed : nat -> list R -> R -> Prop :=
| summed_none h : summed h [] 0
| summed_one h x : summed h [x] x
| summed_plus h xs ys a b : summed h xs a -> summed h ys b -> summed (S h) (xs ++ ys) (plus a b)
| summed_deeper h xs a : summed h xs a -> summed (S h) xs a
| summed_reordered h xs ys a : Permutation xs ys -> summed h xs a -> summed h ys a.

Definition sizes (xs : list R) := fold_right (fun x s => Rabs x + s) 0 xs.

Lemma sizes_nonneg xs : 0 <= sizes xs.
Proof. induction xs as [| x xs IH]; simpl; [lra |]. pose proof (Rabs_pos x). lra. Qed.

Lemma sum_append xs ys : sum (xs ++ ys) = sum xs + sum ys /\ sizes (xs ++ ys) = sizes xs + sizes ys.
Proof. unfold sum, sizes. induction xs; simpl; lra. Qed.

Lemma sum_reordered xs ys : Permutation xs ys -> sum xs = sum ys /\ sizes xs = sizes ys.
Proof. unfold sum, sizes. induction 1; simpl; lra. Qed.

Lemma sum_at_most_sizes xs : Rabs (sum xs) <= sizes xs.
Proof.
  unfold sum, sizes. induction xs as [| x xs IH]; simpl; [rewrite Rabs_R0; lra |].
  apply (Rle_trans _ _ _ (Rabs_triang _ _)). lra.
Qed.

Lemma power_grows h : 1 <= (1 + u) ^ h <= (1 + u) ^ S h.
Proof. induction h as [| h [A B]]; simpl in *; nra. Qed.

(** |s − Σx| ≤ ((1 + u)ʰ − 1)Σ|x|. *)
Theorem sum_error h xs s : summed h xs s -> Rabs (s - sum xs) <= ((1 + u) ^ h - 1) * sizes xs.
Proof.
  induction 1 as [h | h x | h xs ys a b _ IHa _ IHb | h xs a _ IH | h xs ys a P _ IH].
  - unfold sum, sizes. simpl. rewrite Rminus_0_r, Rabs_R0. lra.
  - unfold sum, sizes. simpl. replace (x - (x + 0)) with 0 by ring. rewrite Rabs_R0.
    pose proof (power_grows h). pose proof (Rabs_pos x). nra.
  - destruct (sum_append xs ys) as [-> ->]. pose proof (plus_error a b) as F. pose proof (power_grows h) as [G _].
    pose proof (sum_at_most_sizes xs). pose proof (sum_at_most_sizes ys).
    set (A := sum xs) in *. set (B := sum ys) in *. set (S1 := sizes xs) in *. set (S2 := sizes ys) in *. set (p := (1 + u) ^ h) in *.
    assert (T : Rabs (a + b) <= Rabs (a - A) + Rabs (b - B) + Rabs A + Rabs B).
    { replace (a + b) with ((a - A) + (b - B) + (A + B)) by ring.
      pose proof (Rabs_triang ((a - A) + (b - B)) (A + B)). pose proof (Rabs_triang (a - A) (b - B)). pose proof (Rabs_triang A B). lra. }
    assert (V : Rabs (plus a b - (A + B)) <= Rabs (plus a b - (a + b)) + Rabs (a - A) + Rabs (b - B)).
    { replace (plus a b - (A + B)) with ((plus a b - (a + b)) + (a - A) + (b - B)) by ring.
      pose proof (Rabs_triang ((plus a b - (a + b)) + (a - A)) (b - B)). pose proof (Rabs_triang (plus a b - (a + b)) (a - A)). lra. }
    simpl. fold p. nra.
  - pose proof (power_grows h). pose proof (sizes_nonneg xs). simpl in *. nra.
  - destruct (sum_reordered _ _ P) as [<- <-]. exact IH.
Qed.

(** *** A score: the sum of the rounded products *)
Fixpoint products (v x : list R) : list R := match v, x with a :: v, b :: x => times a b :: products v x | _, _ => [] end.
Fixpoint exact_products (v x : list R) : list R := match v, x with a :: v, b :: x => a * b :: exact_products v x | _, _ => [] end.

Lemma exact_products_sum v x : sum (exact_products v x) = seq_inner v x.
Proof. revert x. unfold sum. induction v as [| a v IH]; intros [| b x]; simpl; try easy. now rewrite IH. Qed.

Lemma products_error v x : Rabs (sum (products v x) - sum (exact_products v x)) <= u * sizes (exact_products v x) + count v * τ /\
  sizes (products v x) <= (1 + u) * sizes (exact_products v x) + count v * τ.
Proof.
  revert x. unfold sum, sizes. induction v as [| a v IH]; intros [| b x]; simpl.
  - rewrite count_nil, Rminus_0_r, Rabs_R0. lra.
  - rewrite count_nil, Rminus_0_r, Rabs_R0. lra.
  - rewrite Rminus_0_r, Rabs_R0. pose proof (count_nonneg _ (a :: v)). nra.
  - destruct (IH x) as [A B]. rewrite count_cons. pose proof (times_error a b) as F. split.
    + set (p := fold_right Rplus 0 (products v x)) in *. set (q := fold_right Rplus 0 (exact_products v x)) in *.
      replace (times a b + p - (a * b + q)) with ((times a b - a * b) + (p - q)) by ring.
      pose proof (Rabs_triang (times a b - a * b) (p - q)). lra.
    + assert (Rabs (times a b) <= Rabs (times a b - a * b) + Rabs (a * b)).
      { replace (times a b) with ((times a b - a * b) + a * b) at 1 by ring. apply Rabs_triang. }
      lra.
Qed.

(** ε for d features: ((1 + u)ʰ⁺¹ − 1)Σ|wⱼzⱼ| + (1 + u)ʰdτ. Dot's order, with the bias, has
    h = ⌊d/32⌋ + 10. *)
Theorem score_error h (v x : list R) s : summed h (products v x) s ->
  Rabs (s - seq_inner v x) <= ((1 + u) ^ S h - 1) * sizes (exact_products v x) + (1 + u) ^ h * (count v * τ).
Proof.
  intros H. apply sum_error in H. destruct (products_error v x) as [A B]. rewrite <- exact_products_sum.
  pose proof (power_grows h) as [G _]. pose proof (sizes_nonneg (exact_products v x)).
  set (S0 := sizes (exact_products v x)) in *. set (p := (1 + u) ^ h) in *. set (dτ := count v * τ) in *.
  assert (V : Rabs (s - sum (exact_products v x)) <= Rabs (s - sum (products v x)) + Rabs (sum (products v x) - sum (exact_products v x))).
  { replace (s - sum (exact_products v x)) with ((s - sum (products v x)) + (sum (products v x) - sum (exact_products v x))) by ring. apply Rabs_triang. }
  assert ((p - 1) * sizes (products v x) <= (p - 1) * ((1 + u) * S0 + dτ)) by (apply Rmult_le_compat_l; lra).
  change ((1 + u) ^ S h) with ((1 + u) * p). nra.
Qed.

(** Σ|wⱼzⱼ| ≤ dWX for |wⱼ| ≤ W and |zⱼ| ≤ X. *)
Lemma sizes_at_most W X v x : 0 <= X -> Forall (fun a => Rabs a <= W) v -> Forall (fun b => Rabs b <= X) x ->
  sizes (exact_products v x) <= count v * (W * X).
Proof.
  intros P V. revert x. unfold sizes. induction V as [| a v A V IH]; intros [| b x] Q; simpl; rewrite ?count_nil, ?count_cons; try lra.
  - pose proof (count_nonneg _ v). pose proof (Rabs_pos a). assert (0 <= W * X) by nra. nra.
  - inversion_clear Q as [| ? ? B Q']. specialize (IH x Q'). rewrite Rabs_mult.
    pose proof (Rabs_pos a). pose proof (Rabs_pos b).
    assert (Rabs a * Rabs b <= W * X) by (apply Rmult_le_compat; lra). lra.
Qed.

(** *** An update: δ = u(W + ηX) + (1 + u)(uηX + τ) for each coordinate *)
Definition updated (η : R) (v x : list R) (new : list R) := length x = length v /\ new = map (fun p => plus (fst p) (times η (snd p))) (combine v x).
Definition coordinate_error (η W X : R) := u * (W + η * X) + (1 + u) * (u * (η * X) + τ).

Lemma coordinate_close η W X a b : 0 <= η -> Rabs a <= W -> Rabs b <= X ->
  Rabs (plus a (times η b) - (a + η * b)) <= coordinate_error η W X.
Proof.
  intros N A B. pose proof (times_error η b) as T. pose proof (plus_error a (times η b)) as F.
  rewrite Rabs_mult, (Rabs_pos_eq η N) in T. set (m := times η b) in *.
  assert (η * Rabs b <= η * X) by (apply Rmult_le_compat_l; lra).
  assert (Rabs (m - η * b) <= u * (η * X) + τ) by nra.
  assert (V : Rabs (plus a m - (a + η * b)) <= Rabs (plus a m - (a + m)) + Rabs (m - η * b)).
  { replace (plus a m - (a + η * b)) with ((plus a m - (a + m)) + (m - η * b)) by ring. apply Rabs_triang. }
  assert (Q : Rabs (a + m) <= W + η * X + (u * (η * X) + τ)).
  { replace (a + m) with (a + (m - η * b) + η * b) by ring.
    pose proof (Rabs_triang (a + (m - η * b)) (η * b)). pose proof (Rabs_triang a (m - η * b)).
    rewrite (Rabs_mult η b), (Rabs_pos_eq η N) in *. lra. }
  unfold coordinate_error. nra.
Qed.

(** d coordinates with errors of at most δ make a vector of at most √d δ. *)
Theorem update_error η W X (v x new : list R) : 0 <= η -> Forall (fun a => Rabs a <= W) v -> Forall (fun b => Rabs b <= X) x ->
  updated η v x new ->
  ‖((new : sequences) ⊕ -1 · ((v : sequences) ⊕ η · (x : sequences)))‖ <= sqrt (count v) * coordinate_error η W X.
Proof.
  intros N V Q [L ->].
  assert (C : forall a b, Rabs a <= W -> Rabs b <= X -> 0 <= coordinate_error η W X).
  { intros a b A B. apply (Rle_trans _ _ _ (Rabs_pos _) (coordinate_close η W X a b N A B)). }
  set (δ := coordinate_error η W X) in *.
  assert (K : ⟨(map (fun p => plus (fst p) (times η (snd p))) (combine v x) : sequences) ⊕ -1 · ((v : sequences) ⊕ η · (x : sequences)),
    (map (fun p => plus (fst p) (times η (snd p))) (combine v x) : sequences) ⊕ -1 · ((v : sequences) ⊕ η · (x : sequences))⟩ <= count v * δ ^ 2).
  { revert x L Q. induction V as [| a v A V IH]; intros [| b x] L Q; try discriminate.
    - simpl. rewrite count_nil. lra.
    - inversion_clear Q as [| ? ? B Q']. specialize (IH x (eq_add_S _ _ L) Q'). rewrite count_cons. cbn in *.
      pose proof (coordinate_close η W X a b N A B) as D. fold δ in D.
      set (e := plus a (times η b) - (a + η * b)) in *.
      replace (plus a (times η b) + -1 * (a + η * b)) with e by (unfold e; ring).
      assert (e * e <= δ ^ 2). { pose proof (Rabs_pos e). rewrite <- (Rabs_pos_eq (e * e)) by nra. rewrite Rabs_mult. nra. }
      lra. }
  destruct V as [| a v' A V]; [destruct x; [| discriminate] |].
  - simpl. unfold norm. simpl. rewrite sqrt_0, count_nil, sqrt_0. lra.
  - destruct x as [| b x]; [discriminate |]. inversion_clear Q as [| ? ? B Q'].
    pose proof (C a b A B). apply norm_at_most; [pose proof (sqrt_pos (count (a :: v'))); nra |].
    rewrite Rpow_mult_distr, pow2_sqrt by apply count_nonneg. exact K.
Qed.
(** *** A run from zero whose weights stay within W *)
Section Online.
Variables (η W X : R) (d h : nat) (rows : list (list R)).
Hypothesis η_positive : 0 < η.
Hypothesis W_nonneg : 0 <= W.
Hypothesis X_nonneg : 0 <= X.
Hypothesis of_size : forall z, In z rows -> length z = d /\ Forall (fun a => Rabs a <= X) z.

Inductive float_run : list (list R) -> list R -> Prop :=
| float_begin : float_run [] (repeat 0 d)
| float_update zs w z s v : float_run zs w -> In z rows -> summed h (products w z) s -> s <= 0 ->
    updated η w z v -> Forall (fun a => Rabs a <= W) v -> float_run (z :: zs) v.

Definition score_ε := ((1 + u) ^ S h - 1) * (INR d * (W * X)) + (1 + u) ^ h * (INR d * τ).
Definition update_Δ := sqrt (INR d) * coordinate_error η W X.

Lemma float_weights zs w : float_run zs w -> length w = d /\ Forall (fun a => Rabs a <= W) w.
Proof.
  induction 1 as [| zs w z s v _ [L _] I _ _ [Q ->] F].
  - split; [apply repeat_length |]. clear - W_nonneg. induction d; simpl; constructor; auto. rewrite Rabs_R0. exact W_nonneg.
  - split; [| exact F]. rewrite map_length, combine_length. lia.
Qed.

Lemma float_is_rounded zs w : float_run zs w ->
  rounded_run (E := sequences) η score_ε update_Δ (data_of (rows : list sequences)) (repeat 0 d) zs w.
Proof.
  induction 1 as [| zs w z s v H IH I C T U F]; [constructor |].
  destruct (float_weights _ _ H) as [L B]. destruct (of_size z I) as [Lz Bz].
  refine (rounded_update (E := sequences) η _ _ _ _ zs w z s v IH I _ T _).
  - apply (Rle_trans _ _ _ (score_error h w z s C)). unfold score_ε.
    pose proof (sizes_at_most W X w z X_nonneg B Bz) as Q. unfold count in *. rewrite L in *.
    pose proof (power_grows h) as [G1 G2]. assert (0 <= (1 + u) ^ S h - 1) by lra.
    apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
  - unfold update_Δ. rewrite <- L. apply (update_error η W X w z v); auto. lra.
Qed.

Theorem float_bound U γ r zs w : separates (data_of (rows : list sequences)) U γ -> within (data_of (rows : list sequences)) r ->
  2 * update_Δ < η * γ -> float_run zs w ->
  count zs <= (η ^ 2 * r ^ 2 + 2 * η * score_ε) / (η * γ - 2 * update_Δ) ^ 2.
Proof.
  intros Sep L G H. apply float_is_rounded in H.
  assert (ε0 : 0 <= score_ε).
  { unfold score_ε. pose proof (power_grows h) as [G1 G2]. pose proof (pos_INR d).
    assert (0 <= W * X) by nra. assert (0 <= INR d * (W * X)) by (apply Rmult_le_pos; lra). assert (0 <= INR d * τ) by (apply Rmult_le_pos; lra).
    assert (0 <= ((1 + u) ^ S h - 1) * (INR d * (W * X))) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 + u) ^ h * (INR d * τ)) by (apply Rmult_le_pos; lra). lra. }
  assert (Δ0 : 0 <= update_Δ).
  { unfold update_Δ, coordinate_error. apply Rmult_le_pos; [apply sqrt_pos |].
    assert (0 <= η * X) by (apply Rmult_le_pos; lra). assert (0 <= u * (W + η * X)) by (apply Rmult_le_pos; lra).
    assert (0 <= u * (η * X)) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 + u) * (u * (η * X) + τ)) by (apply Rmult_le_pos; lra). lra. }
  pose proof (rounded_bound sequences η _ _ _ _ η_positive ε0 Δ0 U γ r zs w Sep L G H) as B.
  assert (Z : ‖(repeat 0 d : sequences)‖ = 0).
  { unfold norm. replace ⟨(repeat 0 d : sequences), (repeat 0 d : sequences)⟩ with 0; [apply sqrt_0 |].
    clear. induction d; simpl in *; lra. }
  rewrite Z in B. unfold Rdiv in *. now rewrite Rmult_0_r, Rmult_0_l, Rplus_0_r in B.
Qed.
End Online.
End Float.
