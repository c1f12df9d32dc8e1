(** Training converges. Passes over the rows, in any order in which every row comes again in
    each pass, end with every row right after at most as many passes as the bound on
    mistakes says. So if the weights return in a fixed order, nothing separates the rows. *)

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
Variables (E : space) (η : R) (rows : list E) (start : E).
Hypothesis η_positive : 0 < η.
Notation data := (data_of rows).

(** The state is the weights w, and R_t, the largest norm of a row updated on. The
    threshold may depend on both. *)
Definition model : Type := E * R.

Section Rule.
Variable θ : E -> R -> R.
Definition rule (zs : list E) (w : E) := θ w (largest E zs).

Definition visit (s : model) (z : E) : model :=
  if Rle_dec ⟨fst s, z⟩ (θ (fst s) (snd s)) then (fst s ⊕ η · z, Rmax ‖z‖ (snd s)) else s.
Definition accepts (s : model) (z : E) := θ (fst s) (snd s) < ⟨fst s, z⟩.
Definition reached (s : model) (k : nat) :=
  exists zs, run η data start rule zs (fst s) /\ snd s = largest E zs /\ length zs = k.

(** The model after n passes, pass n in the order order n. *)
Definition trained (order : nat -> list E) (n : nat) : model := passes E model visit (start, 0) order n.
Definition all_accepted (s : model) := all_settled E model accepts data s.

Lemma accepts_stays s z : accepts s z -> visit s z = s.
Proof. unfold accepts, visit. intros A. destruct (Rle_dec _ _); [lra | easy]. Qed.

Lemma visit_moves s z k : reached s k -> In z rows -> accepts s z \/ reached (visit s z) (S k).
Proof.
  intros (zs & H & L & N) I. unfold accepts, visit. destruct (Rle_dec _ _) as [T | T]; [right | left; lra].
  exists (z :: zs). simpl. split; [| split; congruence]. constructor; [exact H | exact I |].
  unfold rule. now rewrite <- L.
Qed.

Lemma reached_start : reached (start, 0) 0.
Proof. exists []. split; [constructor | easy]. Qed.

Lemma reached_bounded B : (forall zs w, run η data start rule zs w -> count zs <= B) ->
  forall s k, reached s k -> INR k <= B.
Proof. intros H s k (zs & R & _ & <-). now apply (H _ (fst s)). Qed.

Lemma trained_run order n : (forall n, is_pass E data (order n)) -> exists zs,
  run η data start rule zs (fst (trained order n)) /\ snd (trained order n) = largest E zs.
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

(** If equal weights, and with them equal thresholds, return in a fixed order, and the
    last pass was not clean, then the updates have no bound. *)
Lemma cycles m n B (same : model -> model -> Prop) : same = eq \/ same = (fun s t => fst s = fst t) /\ (forall w q p, θ w q = θ w p) ->
  (m < n)%nat -> same (trained (fun _ => rows) m) (trained (fun _ => rows) n) ->
  ~ all_accepted (trained (fun _ => rows) (n - 1)) -> ~ forall zs w, run η data start rule zs w -> count zs <= B.
Proof.
  intros S L Q N H. revert Q N. unfold trained.
  intros Q N. refine (cycle_unbounded _ _ _ _ rows reached (start, 0) same accepts_stays visit_moves reached_start _ _ _ _ _ m n L Q N B (reached_bounded B H)).
  - destruct S as [-> | [-> _]]; easy.
  - destruct S as [-> | [-> _]]; auto.
  - destruct S as [-> | [-> _]]; congruence.
  - destruct S as [-> | [-> F]]; [congruence |]. intros [w q] [v p] z _. simpl. intros ->. unfold visit. simpl.
    rewrite (F v q p). now destruct (Rle_dec _ _).
  - destruct S as [-> | [-> F]]; [congruence |]. intros [w q] [v p] z _. simpl. intros ->. unfold accepts. simpl.
    now rewrite (F v q p).
Qed.
End Rule.

(** Rosenblatt's rule, the margin rule, a fixed θ, and θ = ηR_t². *)
Definition zero_rule (w : E) (q : R) : R := 0.
Definition relative_rule (γ' : R) (w : E) (q : R) := γ' / 2 * ‖w‖.
Definition fixed_rule (θ : R) (w : E) (q : R) := θ.
Definition adaptive_rule (w : E) (q : R) := η * q ^ 2.

Definition every_order (order : nat -> list E) := forall n, is_pass E data (order n).
Definition stays (θ : E -> R -> R) order m w := forall n, (m <= n)%nat -> fst (trained θ order n) = w.
Definition right (w : E) := forall z, In z rows -> 0 < ⟨w, z⟩.

Lemma exists_row : rows <> [] -> exists z, In z rows.
Proof. destruct rows as [| z l]; [easy |]. exists z. now left. Qed.

Theorem online_converges u γ r order : separates data u γ -> within data r -> every_order order ->
  exists m w, INR m <= (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ) /\ stays zero_rule order m w /\ right w.
Proof.
  intros S L C. destruct (converges zero_rule _ order (fun zs w => start_bound _ _ _ _ η_positive u γ r zs w S L) C) as (m & zs & w & B & F & _ & A).
  now exists m, w.
Qed.

Theorem margin_converges u γ r γ' order : separates data u γ -> within data r -> 0 <= γ' < 2 * γ -> every_order order ->
  exists m w, INR m <= (r / (γ - γ' / 2)) ^ 2 + 2 * ‖start‖ / (η * (γ - γ' / 2)) /\
    stays (relative_rule γ') order m w /\ right w /\ (rows <> [] -> has_margin data w (γ' / 2)).
Proof.
  intros S L G C.
  destruct (converges (relative_rule γ') _ order (fun zs w => margin_bound_start _ _ _ η_positive start u γ r γ' zs w S L G) C) as (m & zs & w & B & F & _ & A).
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
  destruct (converges (fixed_rule θ) _ order (fun zs w => threshold_bound_start _ _ _ η_positive start u γ r θ zs w S L G) C) as (m & zs & w & B & F & H & A).
  exists m, w. split; [exact B | split; [exact F | split]].
  - intros z I. specialize (A z I). unfold rule, fixed_rule in A. lra.
  - intros Z N P. destruct (exists_row N) as [z I]. rewrite Z in H.
    apply (threshold_reached E η _ η_positive u γ r θ zs); eauto.
Qed.

Lemma adaptive_within u γ r zs w : separates data u γ -> within data r -> run η data start (rule adaptive_rule) zs w ->
  count zs <= 3 * (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S L H. pose proof (adaptive_bound_start _ _ _ η_positive _ _ _ _ _ S H) as B. destruct S as [P _].
  pose proof (largest_within _ _ r zs L (run_data _ _ _ _ _ _ _ H)). pose proof (largest_nonneg _ zs).
  assert (I : 0 < / γ) by now apply Rinv_0_lt_compat.
  assert ((largest E zs / γ) ^ 2 <= (r / γ) ^ 2) by (apply pow_incr; unfold Rdiv; nra). lra.
Qed.

Theorem adaptive_converges u γ r order : separates data u γ -> within data r -> every_order order ->
  exists m w, INR m <= 3 * (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ) /\ stays adaptive_rule order m w /\ right w /\
    (start = zero -> rows <> [] -> has_margin data w (γ / 3)).
Proof.
  intros S L C. destruct (converges adaptive_rule _ order (fun zs w => adaptive_within u γ r zs w S L) C) as (m & zs & w & B & F & H & A).
  exists m, w. split; [exact B | split; [exact F | split]].
  - intros z I. specialize (A z I). unfold rule, adaptive_rule in A. pose proof (pow2_ge_0 (largest E zs)). nra.
  - intros Z N. destruct (exists_row N) as [z I]. rewrite Z in H.
    apply (adaptive_reached E η _ η_positive u γ zs); eauto.
Qed.

(** *** What the models report as Cycled *)

(** The order is fixed, two passes m < n end with equal weights, and pass n was not clean.
    In exact arithmetic this proves that no hyperplane separates the rows, or none with
    the margin that the rule needs. *)
Definition fixed_order (n : nat) := rows.
Definition cycled θ (same : model -> model -> Prop) := exists m n, (m < n)%nat /\
  same (trained θ fixed_order m) (trained θ fixed_order n) /\ ~ all_accepted θ (trained θ fixed_order (n - 1)).
Definition same_weights (s t : model) := fst s = fst t.
Definition inseparable := forall w : E, ~ right w.

Lemma cycled_unbounded θ B : (forall w q p, θ w q = θ w p) -> cycled θ same_weights ->
  ~ forall zs w, run η data start (rule θ) zs w -> count zs <= B.
Proof. intros F (m & n & L & Q & N). apply (cycles θ m n B same_weights); auto. Qed.

Lemma cycled_exists θ same : cycled θ same -> exists z, In z rows.
Proof.
  intros (m & n & _ & _ & N). apply exists_row. intros Z. apply N. intros z. rewrite Z. easy.
Qed.

Lemma right_separates w : (exists z, In z rows) -> right w -> exists γ r, separates data w γ /\ within data r.
Proof.
  intros [z I] M. destruct (separates_some E rows w z I M) as [γ S]. destruct (within_some E rows) as [r L]. eauto.
Qed.

Theorem online_cycle : cycled zero_rule same_weights -> inseparable.
Proof.
  intros C w M. destruct (right_separates w (cycled_exists _ _ C) M) as (γ & r & S & L).
  apply (cycled_unbounded zero_rule ((r / γ) ^ 2 + 2 * ‖start‖ / (η * γ)) ltac:(easy) C).
  intros zs v H. now apply (start_bound _ _ _ _ η_positive w γ r zs v S L).
Qed.

Theorem threshold_cycle θ : 0 <= θ -> cycled (fixed_rule θ) same_weights -> inseparable.
Proof.
  intros P C w M. destruct (right_separates w (cycled_exists _ _ C) M) as (γ & r & S & L).
  apply (cycled_unbounded (fixed_rule θ) ((2 * θ / η + r ^ 2) / γ ^ 2 + 2 * ‖start‖ / (η * γ)) ltac:(easy) C).
  intros zs v H. now apply (threshold_bound_start _ _ _ η_positive start w γ r θ zs v S L P).
Qed.

Theorem margin_cycle γ' : 0 <= γ' -> cycled (relative_rule γ') same_weights ->
  forall w γ, separates data w γ -> γ <= γ' / 2.
Proof.
  intros P C w γ S. apply Rnot_lt_le. intros G. destruct (within_some E rows) as [r L].
  apply (cycled_unbounded (relative_rule γ') ((r / (γ - γ' / 2)) ^ 2 + 2 * ‖start‖ / (η * (γ - γ' / 2))) ltac:(easy) C).
  intros zs v H. apply (margin_bound_start _ _ _ η_positive start w γ r γ' zs v S L); [lra | exact H].
Qed.

(** The state of the default rule includes R_t. *)
Theorem adaptive_cycle : cycled adaptive_rule eq -> inseparable.
Proof.
  intros C w M. destruct (right_separates w (cycled_exists _ _ C) M) as (γ & r & S & L).
  destruct C as (m & n & Lmn & Q & N).
  apply (cycles adaptive_rule m n (3 * (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ)) eq (or_introl eq_refl) Lmn Q N).
  intros zs v H. now apply (adaptive_within w γ r zs v).
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

Theorem batch_cycle m n : (m < n)%nat -> descended m = descended n -> ~ batch_right (descended (n - 1)) ->
  forall w, ~ batch_right w.
Proof.
  intros L Q N w M. destruct (exists_row E rows) as [z I].
  { intros Z. apply N. intros z. rewrite Z. easy. }
  destruct (right_separates E rows w (ex_intro _ z I) M) as (γ & r & S & W).
  refine (cycle_unbounded unit E epoch (fun w _ => batch_right w) [tt] batch_reached start eq epoch_stays _ batch_begins
    _ _ _ _ _ m n L Q _ _ (batch_reached_bounded w γ _ S (set_bound_rows E rows r W))); try congruence.
  - intros v i k H _. now apply epoch_moves.
  - now intros s t _ _ ->.
  - intros C. apply N, (C tt). now left.
Qed.
End BatchRule.
