(** Batch gradient descent on Σ max(0, −⟨w, z⟩). *)

From Perceptron Require Import Space Online.
Require Import Lra Psatz.

(** Some of the rows, in their order. *)
Inductive part {A} : list A -> list A -> Prop :=
| part_nil : part [] []
| part_take z zs rows : part zs rows -> part (z :: zs) (z :: rows)
| part_skip z zs rows : part zs rows -> part zs (z :: rows).

Lemma part_in A (zs rows : list A) : part zs rows -> forall z, In z zs -> In z rows.
Proof. induction 1; simpl; firstorder. Qed.

Lemma part_count A (zs rows : list A) : part zs rows -> count zs <= count rows.
Proof. induction 1; rewrite ?count_cons; lra. Qed.

(** ‖Σ_S z‖² ≤ σ²|S| for every set S of rows. *)
Definition set_bound {E : space} (rows : list E) (σ : R) :=
  forall zs, part zs rows -> ‖(total zs)‖ ^ 2 <= σ ^ 2 * count zs.

(** An epoch finds the misclassified rows, those with ⟨w, z⟩ ≤ 0, and adds η times
    their sum. A run lists the sets it added, the last one first. *)
Inductive batch {E : space} (η : R) (rows : list E) (start : E) : list (list E) -> E -> Prop :=
| batch_begin : batch η rows start [] start
| batch_epoch sets zs w : batch η rows start sets w -> part zs rows ->
    Forall (fun z => ⟨w, z⟩ <= 0) zs -> batch η rows start (zs :: sets) (w ⊕ η · total zs).

(** The misclassifications of all epochs, and the epochs that have any. *)
Definition misclassified {A} (sets : list (list A)) := count (concat sets).
Definition epochs {A} (sets : list (list A)) :=
  count (filter (fun zs => match zs with [] => false | _ => true end) sets).

Lemma misclassified_nil A : misclassified (@nil (list A)) = 0.
Proof. reflexivity. Qed.

Lemma misclassified_cons A (zs : list A) sets : misclassified (zs :: sets) = count zs + misclassified sets.
Proof. apply count_app. Qed.

Lemma total_at_least (E : space) (u : E) γ zs : (forall z, In z zs -> γ <= ⟨u, z⟩) -> count zs * γ <= ⟨u, total zs⟩.
Proof.
  induction zs as [| z zs IH]; simpl; intros M.
  - rewrite inner_zero_r, count_nil. lra.
  - rewrite count_cons, inner_add_r. pose proof (M z (or_introl eq_refl)). pose proof (IH (fun z H => M z (or_intror H))). lra.
Qed.

Lemma total_at_most (E : space) (w : E) zs : Forall (fun z => ⟨w, z⟩ <= 0) zs -> ⟨w, total zs⟩ <= 0.
Proof. induction 1; simpl; [rewrite inner_zero_r | rewrite inner_add_r]; lra. Qed.

Section Batch.
Variables (E : space) (η : R) (rows : list E) (start : E).
Hypothesis η_positive : 0 < η.
Notation data := (fun z => In z rows).

Lemma batch_reach u γ sets w : separates data u γ -> batch η rows start sets w ->
  misclassified sets * (η * γ) - ‖start‖ <= ‖w‖.
Proof.
  intros [P S] H. apply unit_margin in S as (v & U & M).
  pose proof (inner_at_most _ v w) as C. pose proof (inner_at_least _ v start) as D.
  rewrite U in *. assert (A : ⟨v, start⟩ + misclassified sets * (η * γ) <= ⟨v, w⟩); [| lra].
  clear C D. induction H as [| sets zs w _ IH Z _].
  - rewrite misclassified_nil. lra.
  - rewrite misclassified_cons, inner_add_r, inner_scale_r.
    pose proof (total_at_least _ v γ zs (fun z H => M z (part_in _ _ _ Z z H))). nra.
Qed.

Lemma batch_growth σ sets w : set_bound rows σ -> batch η rows start sets w ->
  ⟨w, w⟩ <= ‖start‖ ^ 2 + misclassified sets * (η * σ) ^ 2.
Proof.
  intros B. induction 1 as [| sets zs w _ IH Z N].
  - rewrite misclassified_nil, norm_square. lra.
  - rewrite misclassified_cons, square_add, <- (norm_square _ (total zs)).
    pose proof (B zs Z). pose proof (total_at_most _ w zs N).
    assert (η ^ 2 * ‖(total zs)‖ ^ 2 <= η ^ 2 * (σ ^ 2 * count zs)) by (apply Rmult_le_compat_l; nra). nra.
Qed.

Theorem batch_bound_start u γ σ sets w : separates data u γ -> set_bound rows σ ->
  batch η rows start sets w -> misclassified sets <= (σ / γ) ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S B H. pose proof (batch_reach _ _ _ _ S H) as A. pose proof (batch_growth _ _ _ B H) as G.
  destruct S as [P _].
  replace ((σ / γ) ^ 2) with ((η * σ) ^ 2 / (η * γ) ^ 2) by (field; lra).
  apply growth_bound; [nra | apply count_nonneg | apply norm_nonneg | apply pow2_ge_0 |].
  apply (Rle_trans _ _ _ A), sqrt_le_1_alt, G.
Qed.

(** Rows no longer than R have σ = √n R. *)
Lemma total_length r (zs : list E) : (forall z, In z zs -> ‖z‖ <= r) -> ‖(total zs)‖ <= count zs * r.
Proof.
  induction zs as [| z zs IH]; simpl; intros L.
  - rewrite norm_zero, count_nil. lra.
  - pose proof (L z (or_introl eq_refl)) as Lz. pose proof (IH (fun z H => L z (or_intror H))) as It.
    rewrite count_cons. pose proof (norm_nonneg _ z). pose proof (norm_nonneg _ (total zs)).
    apply norm_at_most; [lra |]. rewrite inner_add, !inner_add_r, (inner_sym _ (total zs) z), <- !norm_square.
    pose proof (inner_at_most _ z (total zs)).
    assert ((‖z‖ + ‖(total zs)‖) ^ 2 <= ((count zs + 1) * r) ^ 2) by (apply pow_incr; lra). nra.
Qed.

Lemma set_bound_rows r : within data r -> set_bound rows (sqrt (count rows) * r).
Proof.
  intros [N L] zs Z. pose proof (total_length r zs (fun z H => L z (part_in _ _ _ Z z H))) as T.
  pose proof (part_count _ _ _ Z). pose proof (count_nonneg _ zs). pose proof (norm_nonneg _ (total zs)).
  rewrite Rpow_mult_distr, pow2_sqrt by apply count_nonneg.
  assert (‖(total zs)‖ ^ 2 <= (count zs * r) ^ 2) by (apply pow_incr; lra).
  assert (count zs * (count zs * r ^ 2) <= count rows * (count zs * r ^ 2)) by (apply Rmult_le_compat_r; nra). nra.
Qed.

Theorem batch_rows_bound_start u γ r sets w : separates data u γ -> within data r ->
  batch η rows start sets w -> misclassified sets <= count rows * (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S L H. pose proof (batch_bound_start _ _ _ _ _ S (set_bound_rows _ L) H) as B.
  destruct S as (P & _). unfold Rdiv in *. rewrite !Rpow_mult_distr, pow2_sqrt in * by apply count_nonneg. lra.
Qed.
End Batch.

(** σ may be the spectral norm: ‖Σ cᵢzᵢ‖² ≤ σ²Σcᵢ² for all coefficients c. *)
Fixpoint squares (c : list R) : R := match c with [] => 0 | a :: c => a ^ 2 + squares c end.
Definition spectral_bound {E : space} (rows : list E) (σ : R) := forall c, length c = length rows ->
  ‖(weighted c rows)‖ ^ 2 <= σ ^ 2 * squares c.

Lemma indicator (E : space) (zs rows : list E) : part zs rows -> exists c, length c = length rows /\
  squares c = count zs /\ forall v, ⟨v, weighted c rows⟩ = ⟨v, total zs⟩.
Proof.
  induction 1 as [| z zs rows _ (c & L & Q & I) | z zs rows _ (c & L & Q & I)].
  - now exists [].
  - exists (1 :: c). simpl. rewrite L, count_cons. repeat split; [lra |]. intros v.
    rewrite !inner_add_r, inner_scale_r, I. ring.
  - exists (0 :: c). simpl. rewrite L. repeat split; [lra |]. intros v.
    rewrite !inner_add_r, inner_scale_r, I. ring.
Qed.

Lemma spectral_set_bound (E : space) (rows : list E) σ : spectral_bound rows σ -> set_bound rows σ.
Proof.
  intros B zs Z. destruct (indicator _ _ _ Z) as (c & L & Q & I). specialize (B c L). rewrite Q in B.
  rewrite norm_square in *. rewrite <- I, inner_sym, <- I in *. exact B.
Qed.

(** ‖Z‖₂ is the least such σ, and at most √n R. So (‖Z‖₂/γ)² ≤ n(R/γ)². *)
Definition spectral_norm {E : space} (rows : list E) (σ : R) := 0 <= σ /\ spectral_bound rows σ /\
  forall τ, 0 <= τ -> spectral_bound rows τ -> σ <= τ.

Lemma weighted_length (E : space) (rows : list E) r c : 0 <= r -> (forall z, In z rows -> ‖z‖ <= r) -> length c = length rows ->
  ‖(weighted c rows)‖ ^ 2 <= r ^ 2 * (count rows * squares c).
Proof.
  intros N L. assert (S : forall c (rows : list E), (forall z, In z rows -> ‖z‖ <= r) -> length c = length rows ->
    exists a, 0 <= a /\ ‖(weighted c rows)‖ <= r * a /\ a ^ 2 <= count rows * squares c).
  { clear c rows L. induction c as [| b c IH]; intros [| z rows] L Q; try discriminate; cbn [weighted squares].
    - exists 0. rewrite norm_zero, count_nil. lra.
    - destruct (IH rows (fun z H => L z (or_intror H)) (eq_add_S _ _ Q)) as (a & A & B & C).
      exists (Rabs b + a). pose proof (Rabs_pos b) as P. pose proof (L z (or_introl eq_refl)) as Lz.
      pose proof (norm_nonneg _ z) as Nz. pose proof (norm_nonneg _ (weighted c rows)) as Nw. split; [lra | split].
      + apply norm_at_most; [nra |]. rewrite inner_add, !inner_add_r, !inner_scale, !inner_scale_r, (inner_sym _ (weighted c rows) z), <- !norm_square.
        pose proof (inner_at_most _ z (weighted c rows)) as M. pose proof (inner_at_least _ z (weighted c rows)) as M'.
        assert (b * ⟨z, weighted c rows⟩ <= Rabs b * (‖z‖ * ‖(weighted c rows)‖)).
        { unfold Rabs. destruct (Rcase_abs b); nra. }
        assert (b ^ 2 = Rabs b ^ 2) by (now rewrite <- Rsqr_pow2, <- Rsqr_pow2, <- Rsqr_abs).
        assert ((Rabs b * ‖z‖ + ‖(weighted c rows)‖) ^ 2 <= (r * (Rabs b + a)) ^ 2).
        { apply pow_incr. assert (Rabs b * ‖z‖ <= Rabs b * r) by (apply Rmult_le_compat_l; lra).
          assert (0 <= Rabs b * ‖z‖) by nra. lra. }
        nra.
      + rewrite count_cons. assert (b ^ 2 = Rabs b ^ 2) as -> by (now rewrite <- Rsqr_pow2, <- Rsqr_pow2, <- Rsqr_abs).
        set (k := count rows) in *. pose proof (count_nonneg _ rows) as K. fold k in K. set (q := squares c) in *. set (d := Rabs b) in *.
        assert (q0 : 0 <= q) by (unfold q; clear; induction c; simpl; nra).
        destruct (Req_dec k 0) as [Z | Z]; [rewrite Z in *; assert (a = 0) by nra; nra |].
        assert (2 * d * a <= k * d ^ 2 + q); [| nra].
        apply (Rmult_le_reg_l k); [lra |]. pose proof (pow2_ge_0 (k * d - a)). nra. }
  intros Q. destruct (S c rows L Q) as (a & A & B & C). pose proof (norm_nonneg _ (weighted c rows)).
  assert (‖(weighted c rows)‖ ^ 2 <= (r * a) ^ 2) by (apply pow_incr; lra).
  assert (r ^ 2 * a ^ 2 <= r ^ 2 * (count rows * squares c)) by (apply Rmult_le_compat_l; [apply pow2_ge_0 | lra]). nra.
Qed.

Lemma squares_nonneg c : 0 <= squares c.
Proof. induction c as [| a c IH]; simpl; [lra |]. pose proof (pow2_ge_0 a). simpl in *. lra. Qed.

Lemma weighted_scaled (E : space) (rows : list E) a c v : ⟨v, weighted (map (Rmult a) c) rows⟩ = a * ⟨v, weighted c rows⟩.
Proof.
  revert rows. induction c as [| b c IH]; intros [| z rows]; simpl; rewrite ?inner_zero_r; try ring.
  rewrite !inner_add_r, !inner_scale_r, IH. ring.
Qed.

Lemma squares_scaled a c : squares (map (Rmult a) c) = a ^ 2 * squares c.
Proof. induction c as [| b c IH]; simpl in *; [ring |]. rewrite IH. ring. Qed.

(** It is the least upper bound of ‖Σcz‖ over all c with Σc² ≤ 1. *)
Theorem spectral_norm_exists (E : space) (rows : list E) r : within (data_of rows) r -> exists σ, spectral_norm rows σ.
Proof.
  intros [N L]. pose proof (count_nonneg _ rows) as K.
  set (S := fun g => exists c, length c = length rows /\ squares c <= 1 /\ g = ‖(weighted c rows)‖).
  assert (Z : S ‖(weighted (repeat 0 (length rows)) rows)‖).
  { exists (repeat 0 (length rows)). split; [apply repeat_length | split; [| easy]]. clear. induction (length rows); simpl in *; lra. }
  destruct (completeness S) as [σ [U M]].
  - exists (r * sqrt (count rows)). intros g (c & C & Q & ->). pose proof (sqrt_pos (count rows)).
    apply norm_at_most; [nra |]. rewrite <- norm_square, Rpow_mult_distr, pow2_sqrt by exact K.
    apply (Rle_trans _ _ _ (weighted_length E rows r c N L C)). apply Rmult_le_compat_l; [apply pow2_ge_0 |]. nra.
  - eexists; exact Z.
  - assert (P : 0 <= σ) by (apply (Rle_trans _ _ _ (norm_nonneg E (weighted (repeat 0 (length rows)) rows))), U, Z).
    exists σ. split; [exact P | split].
    + intros c C. destruct (Req_dec (squares c) 0) as [Q | Q].
      * pose proof (weighted_length E rows r c N L C) as B. rewrite Q in *. lra.
      * assert (T : 0 < squares c) by (pose proof (squares_nonneg c); lra). pose proof (sqrt_lt_R0 _ T) as T1.
        pose proof (pow2_sqrt _ (Rlt_le _ _ T)) as T2. set (t := sqrt (squares c)) in *.
        assert (G : ‖(weighted (map (Rmult (/ t)) c) rows)‖ <= σ).
        { apply U. exists (map (Rmult (/ t)) c). split; [now rewrite map_length | split; [| easy]].
          rewrite squares_scaled, <- T2. right. field. lra. }
        assert (W : ‖(weighted c rows)‖ = t * ‖(weighted (map (Rmult (/ t)) c) rows)‖).
        { pose proof (norm_nonneg _ (weighted c rows)). apply Rsqr_inj; [easy | apply Rmult_le_pos; [lra | apply norm_nonneg] |].
          rewrite !Rsqr_pow2, Rpow_mult_distr, !norm_square, weighted_scaled, (inner_sym _ (weighted (map _ c) rows)), weighted_scaled. field. lra. }
        rewrite W, Rpow_mult_distr, T2, Rmult_comm. pose proof (norm_nonneg _ (weighted (map (Rmult (/ t)) c) rows)).
        apply Rmult_le_compat_r; [lra |]. apply pow_incr. lra.
    + intros τ Pτ B. apply M. intros g (c & C & Q & ->). apply norm_at_most; [exact Pτ |]. rewrite <- norm_square.
      apply (Rle_trans _ _ _ (B c C)). pose proof (pow2_ge_0 τ). nra.
Qed.

(** So MistakeBound(‖Z‖₂, γ) is never larger than BatchBound. *)
Theorem spectral_rows_bound (E : space) (rows : list E) r γ : 0 < γ -> within (data_of rows) r ->
  exists σ, spectral_norm rows σ /\ (σ / γ) ^ 2 <= count rows * (r / γ) ^ 2.
Proof.
  intros P W. destruct (spectral_norm_exists E rows r W) as (σ & H). exists σ. split; [exact H |].
  destruct W as [N L]. destruct H as (S & _ & M). pose proof (count_nonneg _ rows) as K. pose proof (sqrt_pos (count rows)) as Q.
  assert (B : σ <= sqrt (count rows) * r).
  { apply M; [nra |]. intros c C. rewrite Rpow_mult_distr, pow2_sqrt by exact K.
    pose proof (weighted_length E rows r c N L C). lra. }
  assert (I : 0 < / γ) by now apply Rinv_0_lt_compat. unfold Rdiv. rewrite !Rpow_mult_distr, <- (pow2_sqrt _ K).
  assert (σ ^ 2 <= (sqrt (count rows) * r) ^ 2) by (apply pow_incr; lra). rewrite Rpow_mult_distr in H.
  pose proof (pow2_ge_0 (/ γ)). nra.
Qed.

Section FromZero.
Variables (E : space) (η : R) (rows : list E).
Hypothesis η_positive : 0 < η.
Notation data := (fun z => In z rows).

Theorem batch_bound u γ σ sets w : separates data u γ -> set_bound rows σ ->
  batch η rows zero sets w -> misclassified sets <= (σ / γ) ^ 2.
Proof.
  intros S B H. pose proof (batch_bound_start _ _ _ _ η_positive _ _ _ _ _ S B H) as G.
  rewrite norm_zero in G. destruct S as (P & _). replace (2 * 0 / _) with 0 in G by (field; lra). lra.
Qed.

Theorem batch_spectral_bound u γ σ sets w : separates data u γ -> spectral_bound rows σ ->
  batch η rows zero sets w -> misclassified sets <= (σ / γ) ^ 2.
Proof. intros S B. apply (batch_bound u), spectral_set_bound, B. exact S. Qed.

Theorem batch_rows_bound u γ r sets w : separates data u γ -> within data r ->
  batch η rows zero sets w -> misclassified sets <= count rows * (r / γ) ^ 2.
Proof.
  intros S L H. pose proof (batch_rows_bound_start _ _ _ _ η_positive _ _ _ _ _ S L H) as G.
  rewrite norm_zero in G. destruct S as (P & _). replace (2 * 0 / _) with 0 in G by (field; lra). lra.
Qed.

(** Every run of this rule bounds the margin too. *)
Theorem margin_from_batch u γ sets w : separates data u γ -> batch η rows zero sets w ->
  0 < misclassified sets -> γ <= ‖w‖ / (η * misclassified sets).
Proof.
  intros S H K. pose proof (batch_reach _ _ _ _ η_positive _ _ _ _ S H) as A. rewrite norm_zero in A.
  apply (Rmult_le_reg_r (η * misclassified sets)); [nra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; nra.
Qed.
End FromZero.

(** The epochs with a misclassified row are at most as many. *)
Theorem epochs_at_most A (sets : list (list A)) : epochs sets <= misclassified sets.
Proof.
  induction sets as [| [| z zs] sets IH]; [apply Rle_refl | exact IH |].
  rewrite misclassified_cons. unfold epochs in *. simpl. rewrite !count_cons.
  pose proof (count_nonneg _ zs). lra.
Qed.
