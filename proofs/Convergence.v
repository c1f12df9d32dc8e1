(** Training converges. Passes over the rows, in any order in which every row comes again in
    each pass, end with every row right after at most as many passes as the bound on
    mistakes says. If the weights return in a fixed order, nothing separates the rows. *)

From Perceptron Require Import Space Online Threshold Batch Separation.
From Perceptron Require Export Passes.
Require Import Lra Psatz Lia Bool.

(** ** Rules for one hyperplane *)

(** A margin needs a separating w only: rows are finitely many. *)
Lemma within_some (E : space) (rows : list E) : exists r, within (data_of rows) r.
Proof.
  induction rows as [| z l (r & A & I)]; [exists 0; split; [lra | easy] |].
  exists (Rmax r ‖z‖). split; [apply (Rle_trans _ r); [easy | apply Rmax_l] |].
  intros x [<- | J]; [apply Rmax_r | apply (Rle_trans _ r); [auto | apply Rmax_l]].
Qed.

Lemma separates_some (E : space) (rows : list E) w z : In z rows -> (forall z, In z rows -> 0 < ⟨w, z⟩) ->
  exists γ, separates (data_of rows) w γ.
Proof.
  intros I M. destruct (least_score _ w rows M) as (c & P & B).
  pose proof (norm_positive _ w z (M z I)) as N. exists (c / ‖w‖). split; [now apply Rdiv_lt_0_compat |].
  split; [exact N |]. intros x X. replace (c / ‖w‖ * ‖w‖) with c by (field; lra). auto.
Qed.

Section Plane.
Variables (E : space) (η : R) (rows : list E) (start : E) (q0 : R).
Hypothesis η_positive : 0 < η.
Notation data := (data_of rows).

(** The state is the weights w, and R_t, the largest norm of a row updated on. The
    threshold may depend on both. Training that continues starts with weights and R_t. *)
Definition model : Type := E * R.
Definition largest_so_far (zs : list E) := Rmax q0 (largest E zs).

Section Rule.
Variable θ : E -> R -> R.
Definition rule (zs : list E) (w : E) := θ w (largest_so_far zs).

Definition visit (s : model) (z : E) : model :=
  if Rle_dec ⟨fst s, z⟩ (θ (fst s) (snd s)) then (fst s ⊕ η · z, Rmax ‖z‖ (snd s)) else s.
Definition accepts (s : model) (z : E) := θ (fst s) (snd s) < ⟨fst s, z⟩.
Definition reached (s : model) (k : nat) :=
  exists zs, run η data start rule zs (fst s) /\ snd s = largest_so_far zs /\ length zs = k.

(** The model after n passes, pass n in the order order n. *)
Definition trained (order : nat -> list E) (n : nat) : model := passes E model visit (start, q0) order n.
Definition all_accepted (s : model) := all_settled E model accepts data s.

Lemma accepts_stays s z : accepts s z -> visit s z = s.
Proof. unfold accepts, visit. intros A. destruct (Rle_dec _ _); [lra | easy]. Qed.

Lemma visit_moves s z k : reached s k -> In z rows -> accepts s z \/ reached (visit s z) (S k).
Proof.
  intros (zs & H & L & N) I. unfold accepts, visit. destruct (Rle_dec _ _) as [T | T]; [right | left; lra].
  exists (z :: zs). cbn [fst snd length]. split; [| split; [| now rewrite N]].
  - constructor; [exact H | exact I |]. unfold rule. now rewrite <- L.
  - rewrite L. unfold largest_so_far. cbn [largest]. rewrite !(Rmax_comm q0), Rmax_assoc. reflexivity.
Qed.

Hypothesis q0_nonneg : 0 <= q0.

Lemma largest_from_none : largest_so_far [] = q0.
Proof. now apply Rmax_left. Qed.

Lemma reached_start : reached (start, q0) 0.
Proof. exists []. split; [constructor | split; [symmetry; apply largest_from_none | easy]]. Qed.

Lemma reached_bounded B : (forall zs w, run η data start rule zs w -> count zs <= B) ->
  forall s k, reached s k -> INR k <= B.
Proof. intros H s k (zs & R & _ & <-). now apply (H _ (fst s)). Qed.

Lemma trained_run order n : (forall n, is_pass E data (order n)) -> exists zs,
  run η data start rule zs (fst (trained order n)) /\ snd (trained order n) = largest_so_far zs.
Proof.
  intros C. assert (exists k, reached (trained order n) k) as (k & zs & H & L & _); [| now exists zs].
  unfold trained. induction n as [| n (k & R)]; [exists 0%nat; apply reached_start |]. cbn [passes].
  destruct (visits _ _ _ _ _ _ accepts_stays visit_moves (order n) _ k (fun i I => proj1 (C n i) I) R) as (j & R' & _).
  eauto.
Qed.

(** Some pass m ≤ B ends the training: a run to its weights has ended, and they stay. *)
Lemma converges B order : (forall zs w, run η data start rule zs w -> count zs <= B) ->
  (forall n, is_pass E data (order n)) ->
  exists m zs w, INR m <= B /\ (forall n, (m <= n)%nat -> fst (trained order n) = w) /\
    run η data start rule zs w /\ ended data rule zs w.
Proof.
  intros H C.
  destruct (some_pass_settles _ _ _ _ _ _ _ accepts_stays visit_moves reached_start order C B (reached_bounded B H)) as (m & L & A).
  destruct (trained_run order m C) as (zs & R & Q). exists m, zs, (fst (trained order m)).
  split; [exact L | split; [| split; [exact R |]]].
  - intros n N. f_equal. now apply (settled_for_ever _ _ _ _ _ _ accepts_stays order C).
  - intros z I. specialize (A z I). unfold accepts in A. unfold rule. now rewrite <- Q.
Qed.

End Rule.

(** Rosenblatt's rule, the margin rule, a fixed θ, and θ = ηR_t². *)
Definition zero_rule (w : E) (q : R) : R := 0.
Definition relative_rule (γ' : R) (w : E) (q : R) := γ' / 2 * ‖w‖.
Definition fixed_rule (θ : R) (w : E) (q : R) := θ.
Definition adaptive_rule (w : E) (q : R) := η * q ^ 2.

Hypothesis q0_nonneg : 0 <= q0.
Definition every_order (order : nat -> list E) := forall n, is_pass E data (order n).
Definition stays (θ : E -> R -> R) order m w := forall n, (m <= n)%nat -> fst (trained θ order n) = w.
Definition right (w : E) := forall z, In z rows -> 0 < ⟨w, z⟩.

Lemma exists_row : rows <> [] -> exists z, In z rows.
Proof. destruct rows as [| z l]; [easy |]. exists z. now left. Qed.

Theorem online_converges u γ r order : separates data u γ -> within data r -> every_order order ->
  exists m w, INR m <= (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ) /\ stays zero_rule order m w /\ right w.
Proof.
  intros S L C. destruct (converges zero_rule q0_nonneg _ order (fun zs w => start_bound _ _ _ _ η_positive u γ r zs w S L) C) as (m & zs & w & B & F & _ & A).
  now exists m, w.
Qed.

Theorem margin_converges u γ r γ' order : separates data u γ -> within data r -> 0 <= γ' < 2 * γ -> every_order order ->
  exists m w, INR m <= (r / (γ - γ' / 2)) ^ 2 + 2 * ‖start‖ / (η * (γ - γ' / 2)) /\
    stays (relative_rule γ') order m w /\ right w /\ (rows <> [] -> has_margin data w (γ' / 2)).
Proof.
  intros S L G C.
  destruct (converges (relative_rule γ') q0_nonneg _ order (fun zs w => margin_bound_start _ _ _ η_positive start u γ r γ' zs w S L G) C) as (m & zs & w & B & F & _ & A).
  exists m, w. split; [exact B | split; [exact F |]].
  assert (P : right w). { intros z I. specialize (A z I). unfold rule, relative_rule in A. pose proof (norm_nonneg _ w). nra. }
  split; [exact P |]. intros N. apply (margin_reached E _ γ' zs); [now apply exists_row | apply G | exact A].
Qed.

Theorem threshold_converges u γ r θ order : separates data u γ -> within data r -> 0 <= θ -> every_order order ->
  exists m w, INR m <= (2 * θ / η + r ^ 2) / γ ^ 2 + 2 * ‖start‖ / (η * γ) /\
    stays (fixed_rule θ) order m w /\ right w /\
    (start = zero -> rows <> [] -> 0 < θ -> has_margin data w (γ / (2 + η * r ^ 2 / θ))).
Proof.
  intros S L G C.
  destruct (converges (fixed_rule θ) q0_nonneg _ order (fun zs w => threshold_bound_start _ _ _ η_positive start u γ r θ zs w S L G) C) as (m & zs & w & B & F & H & A).
  exists m, w. split; [exact B | split; [exact F | split]].
  - intros z I. specialize (A z I). unfold rule, fixed_rule in A. lra.
  - intros Z N P. destruct (exists_row N) as [z I]. rewrite Z in H.
    apply (threshold_reached E η _ η_positive u γ r θ zs); eauto.
Qed.

(** r bounds R_0 too: the rows that the training before updated on. *)
Lemma adaptive_within u γ r zs w : separates data u γ -> within data r -> q0 <= r -> run η data start (rule adaptive_rule) zs w ->
  count zs <= 3 * (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S L Q H. replace (3 * (r / γ) ^ 2) with ((2 * (η * r ^ 2) / η + r ^ 2) / γ ^ 2) by (destruct S; field; lra).
  pose proof (pow2_ge_0 r). apply (bounded_rule E η data start η_positive u γ r (rule adaptive_rule) _ zs w S L); [nra | | exact H].
  intros xs v F. unfold rule, adaptive_rule, largest_so_far. apply Rmult_le_compat_l; [lra |]. apply pow_incr.
  split; [apply (Rle_trans _ q0); [exact q0_nonneg | apply Rmax_l] | apply Rmax_lub; [exact Q | now apply (largest_within E data)]].
Qed.

Theorem adaptive_converges u γ r order : separates data u γ -> within data r -> q0 <= r -> every_order order ->
  exists m w, INR m <= 3 * (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ) /\ stays adaptive_rule order m w /\ right w /\
    (start = zero -> q0 = 0 -> rows <> [] -> has_margin data w (γ / 3)).
Proof.
  intros S L Q C. destruct (converges adaptive_rule q0_nonneg _ order (fun zs w => adaptive_within u γ r zs w S L Q) C) as (m & zs & w & B & F & H & A).
  exists m, w. split; [exact B | split; [exact F | split]].
  - intros z I. specialize (A z I). unfold rule, adaptive_rule in A. pose proof (pow2_ge_0 (largest_so_far zs)). nra.
  - intros Z Y N. destruct (exists_row N) as [z I]. rewrite Z in H.
    assert (T : forall zs w, rule adaptive_rule zs w = adaptive E η zs w).
    { intros. unfold rule, adaptive_rule, adaptive, largest_so_far. rewrite Y, Rmax_right; [easy | apply largest_nonneg]. }
    apply (adaptive_reached E η _ η_positive u γ zs); [eauto | exact S | | intros x X; rewrite <- T; now apply A].
    clear -H T. induction H; constructor; auto. now rewrite <- T.
Qed.

(** *** What the models report as Cycled *)

(** The order is fixed, two passes m < n end with the same weights, and pass n was not
    clean. Whatever the threshold is, and also if R_t does not return: in exact arithmetic
    no hyperplane separates the rows. *)
Definition fixed_order (n : nat) := rows.
Definition cycled θ := exists m n, (m < n)%nat /\
  fst (trained θ fixed_order m) = fst (trained θ fixed_order n) /\ ~ all_accepted θ (trained θ fixed_order (n - 1)).
Definition inseparable := forall w : E, ~ right w.

(** ⟨v, w⟩ rises at each update, for a v that separates. If it does not, all rows were accepted. *)
Lemma rises θ v l s : right v -> (forall z, In z l -> In z rows) ->
  ⟨v, fst s⟩ <= ⟨v, fst (fold_left (visit θ) l s)⟩ /\
  (⟨v, fst (fold_left (visit θ) l s)⟩ <= ⟨v, fst s⟩ -> forall z, In z l -> accepts θ s z).
Proof.
  intros M. revert s. induction l as [| z l IH]; intros s I; [split; [apply Rle_refl | easy] |]. cbn [fold_left].
  destruct (IH (visit θ s z) (fun x X => I x (or_intror X))) as [G1 G2].
  assert (C : (visit θ s z = s /\ accepts θ s z) \/ ⟨v, fst s⟩ < ⟨v, fst (visit θ s z)⟩).
  { unfold visit, accepts. destruct (Rle_dec _ _) as [T | T]; [right | left; split; [easy | lra]].
    cbn [fst]. rewrite inner_add_r, inner_scale_r. specialize (M z (I z (or_introl eq_refl))). nra. }
  destruct C as [[V A] | C]; [rewrite V in * | lra]. split; [exact G1 |]. intros T x [<- | X]; [exact A | now apply G2].
Qed.

Theorem cycle_inseparable θ : cycled θ -> inseparable.
Proof.
  intros (m & n & L & Q & N) v M.
  assert (U : forall j, ⟨v, fst (trained θ fixed_order m)⟩ <= ⟨v, fst (trained θ fixed_order (j + m))⟩).
  { induction j as [| j IH]; [apply Rle_refl |]. apply (Rle_trans _ _ _ IH), (rises θ v rows _ M (fun z I => I)). }
  apply N. specialize (U (n - 1 - m)%nat). replace (n - 1 - m + m)%nat with (n - 1)%nat in U by lia.
  intros z I. apply (rises θ v rows (trained θ fixed_order (n - 1)) M (fun z I => I)); [| exact I].
  change (fold_left (visit θ) rows (trained θ fixed_order (n - 1))) with (trained θ fixed_order (S (n - 1))).
  replace (S (n - 1)) with n by lia. rewrite <- Q. exact U.
Qed.
End Plane.

(** ** Batch gradient descent: a pass is one epoch *)
Section BatchRule.
Variables (E : space) (η : R) (rows : list E) (start : E).
Hypothesis η_positive : 0 < η.
Notation data := (data_of rows).

Definition wrong_rows (w : E) := filter (fun z => if Rle_dec ⟨w, z⟩ 0 then true else false) rows.
Definition epoch (w : E) (_ : unit) : E := match wrong_rows w with [] => w | zs => w ⊕ η · total zs end.
Definition batch_right (w : E) := forall z, In z rows -> 0 < ⟨w, z⟩.
Definition batch_reached (w : E) (k : nat) := exists sets, batch η rows start sets w /\ epochs sets = INR k.
Definition descended (n : nat) : E := passes unit E epoch start (fun _ => [tt]) n.

Lemma filter_part A (f : A -> bool) l : part (filter f l) l.
Proof. induction l as [| a l IH]; simpl; [constructor |]. destruct (f a); now constructor. Qed.

Lemma wrong_rows_nil w : wrong_rows w = [] -> batch_right w.
Proof.
  unfold wrong_rows. intros N z I. apply Rnot_le_lt. intros L.
  assert (X : In z []); [| easy]. rewrite <- N. apply filter_In. split; [exact I |]. now destruct (Rle_dec _ _).
Qed.

Lemma wrong_rows_right w : batch_right w -> wrong_rows w = [].
Proof.
  unfold wrong_rows, batch_right. induction rows as [| z l IH]; intros M; simpl; [easy |].
  pose proof (M z (or_introl eq_refl)). destruct (Rle_dec _ _); [lra |]. apply IH. intros x I. apply M. now right.
Qed.

Lemma epoch_stays w i : batch_right w -> epoch w i = w.
Proof. intros M. unfold epoch. now rewrite wrong_rows_right. Qed.

Lemma epoch_moves w i k : batch_reached w k -> True -> batch_right w \/ batch_reached (epoch w i) (S k).
Proof.
  intros (sets & H & C) _. unfold epoch. pose proof (wrong_rows_nil w) as N.
  assert (P : part (wrong_rows w) rows) by apply filter_part.
  assert (F : Forall (fun z => ⟨w, z⟩ <= 0) (wrong_rows w)).
  { apply Forall_forall. intros z I. apply filter_In in I as [_ I]. now destruct (Rle_dec _ _). }
  destruct (wrong_rows w) as [| z zs]; [left; auto | right]. exists ((z :: zs) :: sets).
  split; [now constructor |]. unfold epochs in *. cbn [filter]. rewrite count_cons, S_INR. lra.
Qed.

Lemma batch_begins : batch_reached start 0.
Proof. exists []. split; [constructor | easy]. Qed.

Lemma batch_reached_bounded u γ σ : separates data u γ -> set_bound rows σ ->
  forall w k, batch_reached w k -> INR k <= (σ / γ) ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S B w k (sets & H & <-). apply (Rle_trans _ (misclassified sets)); [apply epochs_at_most |].
  now apply (batch_bound_start E η rows start η_positive u γ σ sets w).
Qed.

(** ‖Z‖₂ and √n R are such a σ. *)
Theorem batch_converges u γ σ : separates data u γ -> set_bound rows σ ->
  exists m w, INR m <= (σ / γ) ^ 2 + 2 * ‖start‖ / (η * γ) /\
    (forall n, (m <= n)%nat -> descended n = w) /\ batch_right w.
Proof.
  intros S B. assert (C : forall n : nat, is_pass unit (fun _ => True) [tt]) by (intros _ []; simpl; tauto).
  destruct (some_pass_settles _ _ _ _ _ _ _ epoch_stays epoch_moves batch_begins _ C _ (batch_reached_bounded u γ σ S B)) as (m & L & A).
  exists m, (descended m). split; [exact L | split; [| exact (A tt I)]].
  intros n N. now apply (settled_for_ever _ _ _ _ _ _ epoch_stays _ C).
Qed.

Lemma epoch_rises v w : batch_right v -> batch_right w \/ ⟨v, w⟩ < ⟨v, epoch w tt⟩.
Proof.
  intros M. unfold epoch. pose proof (wrong_rows_nil w) as N. pose proof (filter_part _ (fun z => if Rle_dec ⟨w, z⟩ 0 then true else false) rows) as P.
  fold (wrong_rows w) in P. destruct (wrong_rows w) as [| z zs]; [left; auto | right].
  pose proof (part_in _ _ _ P) as I. destruct (least_score _ v rows M) as (c & C & B).
  pose proof (total_at_least _ v c (z :: zs) (fun x X => B x (I x X))) as T. rewrite count_cons in T.
  pose proof (count_nonneg _ zs). rewrite inner_add_r, inner_scale_r.
  assert (0 < ⟨v, total (z :: zs)⟩) by nra. nra.
Qed.

Theorem batch_cycle m n : (m < n)%nat -> descended m = descended n -> ~ batch_right (descended (n - 1)) ->
  forall w, ~ batch_right w.
Proof.
  intros L Q N v M.
  assert (S : forall k, ⟨v, descended k⟩ <= ⟨v, descended (S k)⟩).
  { intros k. change (descended (S k)) with (epoch (descended k) tt). destruct (epoch_rises v (descended k) M) as [T |]; [| lra].
    rewrite epoch_stays by exact T. apply Rle_refl. }
  assert (U : forall j, ⟨v, descended m⟩ <= ⟨v, descended (j + m)⟩).
  { induction j as [| j IH]; [apply Rle_refl |]. apply (Rle_trans _ _ _ IH), S. }
  specialize (U (n - 1 - m)%nat). replace (n - 1 - m + m)%nat with (n - 1)%nat in U by lia.
  destruct (epoch_rises v (descended (n - 1)) M) as [T | T]; [easy |].
  change (epoch (descended (n - 1)) tt) with (descended (Datatypes.S (n - 1))) in T. replace (Datatypes.S (n - 1)) with n in T by lia. rewrite <- Q in T. lra.
Qed.
End BatchRule.
