(** Several classes by Kesler's construction (Nilsson 1965). The
    stacked weights W = (w_c) of the classes 0 … K − 1 are vectors of one space, and each
    update is one of the binary rule there. So every binary theorem carries over. *)

From Perceptron Require Import Space Online Threshold Mix.
Require Import Lra Psatz Arith.

Fixpoint sum_to (K : nat) (f : nat -> R) : R := match K with O => 0 | S K => f K + sum_to K f end.

Lemma sum_to_ext K f g : (forall c, f c = g c) -> sum_to K f = sum_to K g.
Proof. intros Q. induction K; simpl; congruence. Qed.

Lemma sum_to_plus K f g : sum_to K (fun c => f c + g c) = sum_to K f + sum_to K g.
Proof. induction K; simpl; lra. Qed.

Lemma sum_to_times K a f : sum_to K (fun c => a * f c) = a * sum_to K f.
Proof. induction K; simpl; lra. Qed.

Lemma sum_to_nonneg K f : (forall c, 0 <= f c) -> 0 <= sum_to K f.
Proof. intros P. induction K; simpl; [| pose proof (P K)]; lra. Qed.

Lemma sum_to_at K y f : (y < K)%nat -> sum_to K (fun c => if Nat.eqb c y then f c else 0) = f y.
Proof.
  assert (Z : forall n, (n <= y)%nat -> sum_to n (fun c => if Nat.eqb c y then f c else 0) = 0).
  { induction n; intros L; simpl; [easy |]. rewrite IHn by lia. destruct (Nat.eqb_spec n y); [lia | lra]. }
  induction K as [| K IH]; intros L; [lia |]. simpl. destruct (Nat.eqb_spec K y) as [-> | N].
  - rewrite Z; lra || lia.
  - rewrite IH by lia. lra.
Qed.

(** The stacked space: ⟨W, X⟩ = Σ_c ⟨w_c, x_c⟩. *)
Section Stack.
Variables (E : space) (K : nat).

Definition stack : space.
Proof.
  refine {|
    vector := nat -> E; zero := fun _ => zero; add := fun U V c => U c ⊕ V c;
    scale := fun a V c => a · V c; inner := fun U V => sum_to K (fun c => ⟨U c, V c⟩)
  |}.
  - intros. apply sum_to_ext. intros. apply inner_sym.
  - intros. rewrite (sum_to_ext _ _ (fun c => 0 * 0)); [rewrite sum_to_times; ring |]. intros. rewrite inner_zero. ring.
  - intros. rewrite <- sum_to_plus. apply sum_to_ext. intros. apply inner_add.
  - intros. rewrite <- sum_to_times. apply sum_to_ext. intros. apply inner_scale.
  - intros. apply sum_to_nonneg. intros. apply inner_nonneg.
Defined.

(** The row e_y⊗x − e_r⊗x: x for the class y, and −x for the class r. *)
Definition kesler (x : E) (y r : nat) : stack :=
  fun c => if Nat.eqb c y then x else if Nat.eqb c r then -1 · x else zero.

Lemma inner_kesler (W : stack) x y r : (y < K)%nat -> (r < K)%nat -> r <> y ->
  ⟨W, kesler x y r⟩ = ⟨W y, x⟩ - ⟨W r, x⟩.
Proof.
  intros Y Q N. simpl.
  rewrite (sum_to_ext _ _ (fun c => (if Nat.eqb c y then ⟨W c, x⟩ else 0) + (if Nat.eqb c r then - ⟨W c, x⟩ else 0))).
  - rewrite sum_to_plus, (sum_to_at _ _ (fun c => ⟨W c, x⟩)), (sum_to_at _ _ (fun c => - ⟨W c, x⟩)) by easy. ring.
  - intros c. unfold kesler. destruct (Nat.eqb_spec c y), (Nat.eqb_spec c r); try congruence;
      rewrite ?inner_scale_r, ?inner_zero_r; ring.
Qed.

(** ‖z‖² = 2‖x‖². *)
Lemma norm_kesler x y r : (y < K)%nat -> (r < K)%nat -> r <> y -> ‖(kesler x y r)‖ = sqrt 2 * ‖x‖.
Proof.
  intros Y Q N. unfold norm. rewrite <- sqrt_mult_alt by lra. f_equal. rewrite inner_kesler by easy.
  unfold kesler. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec r y); [easy |]. rewrite Nat.eqb_refl, inner_scale. ring.
Qed.
End Stack.

Arguments kesler {E K}.

Section Multiclass.
Variables (E : space) (K : nat) (η : R).
Hypothesis η_positive : 0 < η.

(** The examples x with their classes y. An update names a class r beside them. *)
Variable example : E -> nat -> Prop.
Hypothesis classes : forall x y, example x y -> (y < K)%nat.
Record triple := { row : E; class : nat; rival : nat }.
Definition stacked (t : triple) : stack E K := kesler (row t) (class t) (rival t).

(** The rule: if ⟨w_y − w_r, x⟩ ≤ θ for a class r ≠ y, then w_y ← w_y + ηx and
    w_r ← w_r − ηx. The class r with the highest score is one such class if any is. *)
Inductive multi_run (start : stack E K) (θ : list triple -> stack E K -> R) : list triple -> stack E K -> Prop :=
| multi_begin : multi_run start θ [] start
| multi_update ts W x y r : multi_run start θ ts W -> example x y -> (r < K)%nat -> r <> y ->
    ⟨W y, x⟩ - ⟨W r, x⟩ <= θ ts W -> multi_run start θ (Build_triple x y r :: ts) (W ⊕ η · kesler x y r).

Lemma update_class (W : stack E K) x y r : (W ⊕ η · kesler x y r) y = W y ⊕ η · x.
Proof. simpl. unfold kesler. now rewrite Nat.eqb_refl. Qed.

Lemma update_rival (W : stack E K) x y r : r <> y -> (W ⊕ η · kesler x y r) r = W r ⊕ η · (-1 · x).
Proof. intros N. simpl. unfold kesler. destruct (Nat.eqb_spec r y); [easy |]. now rewrite Nat.eqb_refl. Qed.

Lemma update_other (W : stack E K) x y r c : c <> y -> c <> r -> (W ⊕ η · kesler x y r) c = W c ⊕ η · zero.
Proof. intros N M. simpl. unfold kesler. destruct (Nat.eqb_spec c y), (Nat.eqb_spec c r); easy. Qed.

(** Radius, margin and the end of a run, in terms of the classes. *)
Definition multi_within r := 0 <= r /\ forall x y, example x y -> ‖x‖ <= r.
Definition multi_has_margin (W : stack E K) g := 0 < ‖W‖ /\
  forall x y r, example x y -> (r < K)%nat -> r <> y -> g * ‖W‖ <= ⟨W y, x⟩ - ⟨W r, x⟩.
Definition multi_separates (U : stack E K) γ := 0 < γ /\ multi_has_margin U γ.
Definition multi_ended (θ : list triple -> stack E K -> R) ts W :=
  forall x y r, example x y -> (r < K)%nat -> r <> y -> θ ts W < ⟨W y, x⟩ - ⟨W r, x⟩.

(** γ of the examples is the least upper bound of the margins. So that of each W, which
    MulticlassGamma returns, is a lower bound. *)
Definition multi_margin γ := is_lub (fun g => exists W, multi_has_margin W g) γ.

Theorem multiclass_margin_lower_bound W g γ : multi_has_margin W g -> multi_margin γ -> g <= γ.
Proof. intros M [B _]. apply B. now exists W. Qed.

(** All rows that Kesler's construction makes of the examples. *)
Definition rows (z : stack E K) := exists x y r, example x y /\ (r < K)%nat /\ r <> y /\ z = kesler x y r.
Definition has_rival := exists x y r, example x y /\ (r < K)%nat /\ r <> y.

Lemma rows_exist : has_rival -> exists z, rows z.
Proof. intros (x & y & r & X & C & D). exists (kesler x y r). now exists x, y, r. Qed.

Lemma rows_within r : multi_within r -> within rows (sqrt 2 * r).
Proof.
  intros [N L]. pose proof (sqrt_pos 2). split; [nra |]. intros z (x & y & c & X & C & D & ->).
  rewrite norm_kesler by eauto. apply Rmult_le_compat_l; eauto.
Qed.

Lemma rows_separate U γ : multi_separates U γ -> separates rows U γ.
Proof.
  intros (P & N & M). split; [exact P | split; [exact N |]]. intros z (x & y & c & X & C & D & ->).
  rewrite inner_kesler by eauto. auto.
Qed.

Definition of_classes (t : triple) := (class t < K /\ rival t < K /\ rival t <> class t)%nat.

Lemma multi_run_classes start θ ts W : multi_run start θ ts W -> Forall of_classes ts.
Proof. induction 1; constructor; unfold of_classes; eauto. Qed.

Lemma multi_run_examples start θ ts W : multi_run start θ ts W -> Forall (fun t => example (row t) (class t)) ts.
Proof. induction 1; constructor; auto. Qed.

Lemma rows_run start θ θ' ts W : (forall ts W, Forall of_classes ts -> Forall (fun t => example (row t) (class t)) ts ->
  θ ts W <= θ' (map stacked ts) W) -> multi_run start θ ts W -> run η rows start θ' (map stacked ts) W.
Proof.
  intros Q. induction 1 as [| ts W x y r H IH X C D T]; cbn [map]; constructor; auto.
  - now exists x, y, r.
  - rewrite inner_kesler by eauto. apply (Rle_trans _ _ _ T), Q; [apply (multi_run_classes _ _ _ _ H) | apply (multi_run_examples _ _ _ _ H)].
Qed.

Lemma rows_ended θ θ' ts W : (forall ts W, θ ts W = θ' (map stacked ts) W) -> multi_ended θ ts W ->
  ended rows θ' (map stacked ts) W.
Proof. intros Q F z (x & y & c & X & C & D & ->). rewrite inner_kesler, <- Q; eauto. Qed.

Lemma rows_reach W g : has_margin rows W g -> multi_has_margin W g.
Proof.
  intros [P M]. split; [exact P |]. intros x y c X C D. rewrite <- (inner_kesler E K W x y c) by eauto. apply M. now exists x, y, c.
Qed.

Lemma stacked_count ts : count (map stacked ts) = count ts.
Proof. unfold count. now rewrite map_length. Qed.

Lemma square_root_2 a : (sqrt 2 * a) ^ 2 = 2 * a ^ 2.
Proof. rewrite Rpow_mult_distr, pow2_sqrt; lra. Qed.

(** ** θ = 0: a mistake updates two classes *)
Definition multi_mistakes (ts : list triple) (W : stack E K) : R := 0.

Theorem multiclass_bound U γ r ts W : multi_separates U γ -> multi_within r ->
  multi_run zero multi_mistakes ts W -> count ts <= 2 * (r / γ) ^ 2.
Proof.
  intros S L H. apply rows_separate in S. apply rows_within in L.
  apply (rows_run _ _ mistakes) in H; [| intros; apply Rle_refl]. pose proof (novikoff _ _ _ η_positive _ _ _ _ _ S L H) as B.
  rewrite stacked_count in B. unfold Rdiv in *. rewrite Rmult_assoc, square_root_2 in B. exact B.
Qed.

Theorem multiclass_inseparable_bound (U : stack E K) γ r ts W : 0 < γ -> ‖U‖ = 1 -> multi_within r ->
  multi_run zero multi_mistakes ts W ->
  count ts <= ((sqrt 2 * r + sqrt (sum_squared_lacks (stack E K) U γ (map stacked ts))) / γ) ^ 2 /\
  count ts <= ((sqrt 2 * r + sqrt ((sqrt 2 * r) ^ 2 + 4 * γ * sum_lacks (stack E K) U γ (map stacked ts))) / (2 * γ)) ^ 2.
Proof.
  intros P N L H. apply rows_within in L. apply (rows_run _ _ mistakes) in H; [| intros; apply Rle_refl].
  rewrite <- (stacked_count ts). split.
  - now apply (inseparable_bound_freund_schapire _ η rows η_positive U γ _ _ W).
  - now apply (inseparable_bound _ η rows η_positive U γ _ _ W).
Qed.

(** Every run bounds the margin, whatever its threshold. *)
Theorem margin_from_multiclass U γ θ ts W : multi_separates U γ -> multi_run zero θ ts W -> 0 < count ts ->
  γ <= ‖W‖ / (η * count ts).
Proof.
  intros S H C. apply rows_separate in S. destruct S as [_ S]. apply unit_margin in S as (V & N & M).
  assert (A : count ts * (η * γ) <= ⟨V, W⟩).
  { clear C. induction H as [| ts W x y r _ IH X C D _].
    - rewrite count_nil, inner_zero_r. lra.
    - rewrite count_cons, inner_add_r, inner_scale_r.
      pose proof (M (kesler x y r) ltac:(now exists x, y, r)). nra. }
  pose proof (inner_at_most _ V W). rewrite N in *.
  apply (Rmult_le_reg_r (η * count ts)); [nra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; nra.
Qed.

(** ** A fixed θ ≥ 0 *)
Definition multi_fixed (θ : R) (ts : list triple) (W : stack E K) := θ.

Theorem multiclass_threshold_bound U γ r θ ts W : multi_separates U γ -> multi_within r -> 0 <= θ ->
  multi_run zero (multi_fixed θ) ts W -> count ts <= (2 * θ / η + 2 * r ^ 2) / γ ^ 2.
Proof.
  intros S L P H. apply rows_separate in S. apply rows_within in L.
  apply (rows_run _ _ (fixed _ θ)) in H; [| intros; apply Rle_refl].
  pose proof (threshold_bound _ _ _ η_positive _ _ _ _ _ _ S L P H) as B.
  now rewrite stacked_count, square_root_2 in B.
Qed.

Theorem multiclass_threshold_reached U γ r θ ts W : has_rival -> multi_separates U γ -> multi_within r -> 0 < θ ->
  multi_run zero (multi_fixed θ) ts W -> multi_ended (multi_fixed θ) ts W ->
  multi_has_margin W (γ / (2 + 2 * η * r ^ 2 / θ)).
Proof.
  intros X S L P H F. apply rows_exist in X. apply rows_separate in S. apply rows_within in L.
  apply (rows_run _ _ (fixed _ θ)) in H; [| intros; apply Rle_refl]. apply (rows_ended _ (fixed _ θ)) in F; [| easy].
  pose proof (threshold_reached _ _ _ η_positive _ _ _ _ _ _ X S L P H F) as B.
  rewrite square_root_2 in B. replace (2 * η * r ^ 2) with (η * (2 * r ^ 2)) by ring. now apply rows_reach.
Qed.

(** ** θ = 2ηR_t², with R_t the largest norm updated on *)
Definition multi_adaptive (ts : list triple) (W : stack E K) := 2 * η * largest E (map row ts) ^ 2.

(** In the stacked space this is the binary rule's θ, on the rows of a run. *)
Lemma largest_stacked ts : Forall of_classes ts -> largest (stack E K) (map stacked ts) = sqrt 2 * largest E (map row ts).
Proof.
  induction 1 as [| t ts (Y & C & D) _ IH]; cbn [map largest]; [ring |].
  unfold stacked at 1. rewrite IH, norm_kesler, RmaxRmult by (try apply sqrt_pos; easy). reflexivity.
Qed.

Lemma adaptive_stacked ts V : Forall of_classes ts -> adaptive (stack E K) η (map stacked ts) V = multi_adaptive ts V.
Proof. intros H. unfold adaptive, multi_adaptive. rewrite largest_stacked, square_root_2 by exact H. ring. Qed.

Lemma adaptive_rows ts W : multi_run zero multi_adaptive ts W -> run η rows zero (adaptive (stack E K) η) (map stacked ts) W.
Proof. apply rows_run. intros us V C _. rewrite adaptive_stacked by exact C. apply Rle_refl. Qed.

Theorem multiclass_adaptive_bound U γ r ts W : multi_separates U γ -> multi_within r ->
  multi_run zero multi_adaptive ts W -> count ts <= 6 * (r / γ) ^ 2.
Proof.
  intros S L H. apply rows_separate in S. apply rows_within in L. apply adaptive_rows in H.
  pose proof (adaptive_bound _ _ _ η_positive _ _ _ _ _ S L H) as B.
  rewrite stacked_count in B. unfold Rdiv in *. rewrite Rmult_assoc, square_root_2 in B. lra.
Qed.

Theorem multiclass_adaptive_reached U γ ts W : has_rival -> multi_separates U γ -> multi_run zero multi_adaptive ts W ->
  multi_ended multi_adaptive ts W -> multi_has_margin W (γ / 3).
Proof.
  intros N S H F. apply rows_exist in N. apply rows_separate in S. pose proof (adaptive_rows _ _ H) as G.
  apply rows_reach, (adaptive_reached _ _ _ η_positive _ _ _ _ N S G).
  intros z (x & y & c & X & C & D & ->). rewrite adaptive_stacked, inner_kesler; eauto using multi_run_classes.
Qed.

(** ** θ = (γ′/2)‖W‖ *)
Definition multi_relative (γ' : R) (ts : list triple) (W : stack E K) := γ' / 2 * ‖W‖.

Theorem multiclass_margin_bound U γ r γ' ts W : multi_separates U γ -> multi_within r -> 0 <= γ' < 2 * γ ->
  multi_run zero (multi_relative γ') ts W -> count ts <= 2 * (r / (γ - γ' / 2)) ^ 2.
Proof.
  intros S L P H. apply rows_separate in S. apply rows_within in L.
  apply (rows_run _ _ (relative _ γ')) in H; [| intros; apply Rle_refl].
  pose proof (margin_bound _ _ _ η_positive _ _ _ _ _ _ S L P H) as B.
  rewrite stacked_count in B. unfold Rdiv in *. rewrite Rmult_assoc, square_root_2 in B. exact B.
Qed.

Theorem multiclass_margin_reached γ' ts W : has_rival -> 0 <= γ' -> multi_ended (multi_relative γ') ts W ->
  multi_has_margin W (γ' / 2).
Proof.
  intros X P F. apply rows_exist in X. apply (rows_ended _ (relative _ γ')) in F; [| easy].
  now apply rows_reach, (margin_reached _ _ γ' (map stacked ts)).
Qed.

(** ** From any state, as training that continues does *)
Theorem multiclass_bound_start start U γ r θ c ts W : multi_separates U γ -> multi_within r -> 0 <= c ->
  (forall ts W, Forall (fun t => example (row t) (class t)) ts -> θ ts W <= c) -> multi_run start θ ts W ->
  count ts <= (2 * c / η + 2 * r ^ 2) / γ ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S L P T H. apply rows_separate in S. apply rows_within in L.
  apply (rows_run _ _ (fixed _ c)) in H; [| intros; unfold fixed; now apply T].
  pose proof (threshold_bound_start _ _ _ η_positive _ _ _ _ _ _ _ S L P H) as B.
  now rewrite stacked_count, square_root_2 in B.
Qed.

Theorem multiclass_margin_bound_start start U γ r γ' ts W : multi_separates U γ -> multi_within r -> 0 <= γ' < 2 * γ ->
  multi_run start (multi_relative γ') ts W ->
  count ts <= 2 * (r / (γ - γ' / 2)) ^ 2 + 2 * ‖start‖ / (η * (γ - γ' / 2)).
Proof.
  intros S L P H. apply rows_separate in S. apply rows_within in L.
  apply (rows_run _ _ (relative _ γ')) in H; [| intros; apply Rle_refl].
  pose proof (margin_bound_start _ _ _ η_positive _ _ _ _ _ _ _ S L P H) as B.
  rewrite stacked_count in B. unfold Rdiv in *. rewrite Rmult_assoc, square_root_2 in B. exact B.
Qed.

(** ** Mixing, with 2R² for R² *)
Theorem multiclass_mix_bound U γ r rounds W : multi_separates U γ -> multi_within r ->
  mixing η rows zero rounds W -> mixed_mistakes rounds <= 2 * (r / γ) ^ 2.
Proof.
  intros S L H. apply rows_separate in S. apply rows_within in L.
  pose proof (mix_bound _ _ _ _ _ _ _ _ η_positive S L H) as B.
  unfold Rdiv in *. rewrite Rmult_assoc, square_root_2 in B. exact B.
Qed.

Theorem multiclass_mix_rounds U γ r rounds W : multi_separates U γ -> multi_within r ->
  mixing η rows zero rounds W ->
  (forall n, 0 < n -> Forall (uniform _ n) rounds -> rounds_with_mistake _ rounds <= n * (2 * (r / γ) ^ 2)) /\
  (Forall (fun r => has_mistake _ r = true -> proportional _ r) rounds -> rounds_with_mistake _ rounds <= 2 * (r / γ) ^ 2).
Proof.
  intros S L H. apply rows_separate in S. apply rows_within in L.
  replace (2 * (r / γ) ^ 2) with ((sqrt 2 * r / γ) ^ 2) by (unfold Rdiv; now rewrite Rmult_assoc, square_root_2).
  split; [intros n N Q; now apply (uniform_rounds _ _ _ _ _ _ _ _ η_positive S L H) |].
  intros Q. now apply (proportional_rounds _ _ _ _ _ _ _ _ η_positive S L H).
Qed.
End Multiclass.
