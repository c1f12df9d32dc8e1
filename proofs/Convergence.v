(** Training converges. Passes over the rows, in any order in which every row comes again in
    each pass, end with every row right after at most as many passes as the bound on
    mistakes says. So if the weights return in a fixed order, nothing separates the rows. *)

From Perceptron Require Import Space Online Threshold Batch Multiclass Separation Cycle.
Require Import Lra Psatz Lia Bool.

(** ** For every rule at once *)

(** A visit to an item, a row or an example, moves the state of a model, or the item is
    settled. Each move is one more update of a run that reaches the state. *)
Section Machine.
Variables (item state : Type) (visit : state -> item -> state) (settled : state -> item -> Prop).
Variables (items : item -> Prop) (reached : state -> nat -> Prop) (start : state).
Hypothesis settled_stays : forall s i, settled s i -> visit s i = s.
Hypothesis moves : forall s i k, reached s k -> items i -> settled s i \/ reached (visit s i) (S k).
Hypothesis begins : reached start 0.

Definition all_settled s := forall i, items i -> settled s i.

(** A pass visits every item, in any order and any number of times. *)
Definition is_pass (l : list item) := forall i, In i l <-> items i.

(** The state after n passes; pass n has the order order n. *)
Fixpoint passes (order : nat -> list item) (n : nat) : state := match n with
  | O => start
  | S n => fold_left visit (order n) (passes order n)
  end.

Lemma visits_settled l s : (forall i, In i l -> settled s i) -> fold_left visit l s = s.
Proof.
  induction l as [| i l IH]; intros H; [easy |]. cbn [fold_left].
  rewrite settled_stays by (apply H; now left). apply IH. intros j J. apply H. now right.
Qed.

Lemma visits l s k : (forall i, In i l -> items i) -> reached s k ->
  exists n, reached (fold_left visit l s) (n + k) /\ (n = 0%nat -> forall i, In i l -> settled s i).
Proof.
  revert s k. induction l as [| i l IH]; intros s k I R; [now exists 0%nat |]. cbn [fold_left].
  destruct (moves s i k R (I i (or_introl eq_refl))) as [S | M].
  - rewrite (settled_stays s i S). destruct (IH s k (fun j J => I j (or_intror J)) R) as (n & A & B).
    exists n. split; [exact A |]. intros N j [<- | J]; [exact S | now apply B].
  - destruct (IH _ _ (fun j J => I j (or_intror J)) M) as (n & A & _). exists (S n).
    split; [| easy]. now replace (S n + k)%nat with (n + S k)%nat by lia.
Qed.

Variable order : nat -> list item.
Hypothesis complete : forall n, is_pass (order n).

Lemma settled_or_reached n : (exists m, (m < n)%nat /\ all_settled (passes order m)) \/
  exists k, (n <= k)%nat /\ reached (passes order n) k.
Proof.
  induction n as [| n [(m & L & A) | (k & L & R)]].
  - right. now exists 0%nat.
  - left. exists m. split; [lia | exact A].
  - destruct (visits (order n) _ k (fun i I => proj1 (complete n i) I) R) as ([| j] & R' & F).
    + left. exists n. split; [lia |]. intros i I. apply (F eq_refl), (complete n i), I.
    + right. exists (S j + k)%nat. split; [lia | exact R'].
Qed.

Lemma natural_part B : 0 <= B -> exists n, INR n <= B < INR (S n).
Proof.
  intros P. destruct (archimed B) as [U L]. exists (Z.to_nat (up B - 1)).
  assert (0 <= up B - 1)%Z by (assert (0 < up B)%Z by (apply lt_IZR; lra); lia).
  rewrite S_INR, INR_IZR_INZ, Z2Nat.id, minus_IZR by easy. lra.
Qed.

(** If no run makes more than B updates, some pass m ≤ B finds every item settled. *)
Lemma some_pass_settles B : (forall s k, reached s k -> INR k <= B) ->
  exists m, INR m <= B /\ all_settled (passes order m).
Proof.
  intros H. assert (P : 0 <= B) by (apply (H start 0%nat begins)).
  destruct (natural_part B P) as (n & L & U). destruct (settled_or_reached (S n)) as [(m & Lm & A) | (k & Lk & R)].
  - exists m. split; [| exact A]. apply (Rle_trans _ (INR n)); [apply le_INR; lia | exact L].
  - specialize (H _ _ R). apply le_INR in Lk. lra.
Qed.

(** And the state never changes again. *)
Lemma settled_for_ever m n : all_settled (passes order m) -> (m <= n)%nat -> passes order n = passes order m.
Proof.
  intros A. induction 1 as [| n L IH]; [easy |]. cbn [passes]. rewrite IH.
  apply visits_settled. intros i I. apply A, (complete n i), I.
Qed.
End Machine.

(** A fixed order makes each pass the same function. If the state returns, and the pass
    before was not clean, the updates have no bound. States that agree on all that a visit
    reads are the same. *)
Section Cycles.
Variables (item state : Type) (visit : state -> item -> state) (settled : state -> item -> Prop).
Variables (items : list item) (reached : state -> nat -> Prop) (start : state) (same : state -> state -> Prop).
Hypothesis settled_stays : forall s i, settled s i -> visit s i = s.
Hypothesis moves : forall s i k, reached s k -> In i items -> settled s i \/ reached (visit s i) (S k).
Hypothesis begins : reached start 0.
Hypothesis same_refl : forall s, same s s.
Hypothesis same_sym : forall s t, same s t -> same t s.
Hypothesis same_trans : forall s t u, same s t -> same t u -> same s u.
Hypothesis same_visit : forall s t i, In i items -> same s t -> same (visit s i) (visit t i).
Hypothesis same_settled : forall s t i, In i items -> same s t -> settled s i -> settled t i.

Notation after := (passes item state visit start (fun _ => items)).
Notation clean := (all_settled item state settled (fun i => In i items)).

Lemma same_pass l s t : (forall i, In i l -> In i items) -> same s t -> same (fold_left visit l s) (fold_left visit l t).
Proof. revert s t. induction l as [| i l IH]; intros s t I S; simpl in *; auto. Qed.

Lemma same_after m n t : same (after m) (after n) -> same (after (t + m)) (after (t + n)).
Proof. intros S. induction t; simpl; auto using same_pass. Qed.

Lemma returns m p j t : same (after m) (after (p + m)) -> same (after (t + m)) (after (t + (j * p + m))).
Proof.
  intros Q. apply same_after. induction j as [| j IH]; [apply same_refl |].
  apply (same_trans _ _ _ Q). replace (S j * p + m)%nat with (p + (j * p + m))%nat by lia. now apply same_after.
Qed.

Lemma cycle_unbounded m n : (m < n)%nat -> same (after m) (after n) -> ~ clean (after (n - 1)) ->
  forall B, ~ forall s k, reached s k -> INR k <= B.
Proof.
  intros L Q N B H. apply N. clear N.
  destruct (some_pass_settles _ _ _ _ _ _ _ settled_stays moves begins (fun _ => items) (fun _ i => iff_refl _) B H) as (c & _ & C).
  set (p := (n - m)%nat). set (t := (n - 1 - m)%nat).
  replace n with (p + m)%nat in Q by lia. replace (n - 1)%nat with (t + m)%nat by lia.
  assert (A : after (t + (c * p + m)) = after c).
  { apply (settled_for_ever _ _ _ _ _ _ settled_stays (fun _ => items) (fun _ i => iff_refl _) c _ C). nia. }
  intros i I. apply (same_settled (after (t + (c * p + m)))); [exact I | apply same_sym, returns, Q | rewrite A; now apply C].
Qed.
End Cycles.

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

(** ** Several classes *)
Section Classes.
Variables (E : space) (K : nat) (η : R) (examples : list (E * nat)).
Hypothesis η_positive : 0 < η.
Definition example (x : E) (y : nat) := In (x, y) examples.
Hypothesis classes : forall x y, example x y -> (y < K)%nat.
Notation W_ := (stack E K).

(** Of the classes below n other than y, that with the highest score; the lowest of several. *)
Fixpoint highest (W : W_) (x : E) (y n : nat) : option nat := match n with
  | O => None
  | S c => if Nat.eqb c y then highest W x y c else match highest W x y c with
      | Some r => if Rlt_dec ⟨W r, x⟩ ⟨W c, x⟩ then Some c else Some r
      | None => Some c
      end
  end.

Lemma highest_is W x y n : match highest W x y n with
  | Some r => (r < n)%nat /\ r <> y /\ forall c, (c < n)%nat -> c <> y -> ⟨W c, x⟩ <= ⟨W r, x⟩
  | None => forall c, (c < n)%nat -> c = y
  end.
Proof.
  induction n as [| n IH]; simpl; [lia |]. destruct (Nat.eqb_spec n y) as [Q | Q].
  - destruct (highest W x y n) as [r |]; [destruct IH as (A & B & C) |]; [repeat split; auto |]; intros c L.
    + intros D. apply C; [lia | exact D].
    + destruct (Nat.eq_dec c n); [lia | apply IH; lia].
  - destruct (highest W x y n) as [r |].
    + destruct IH as (A & B & C). destruct (Rlt_dec _ _) as [L | L]; repeat split; auto; intros c Lc D;
        (destruct (Nat.eq_dec c n) as [-> |]; [lra || lra | assert (⟨W c, x⟩ <= ⟨W r, x⟩) by (apply C; [lia | exact D]); lra]).
    + repeat split; auto. intros c L D. destruct (Nat.eq_dec c n) as [-> |]; [lra |]. elim D. apply IH. lia.
Qed.

(** The state is the weights of all classes, and R_t. *)
Definition multi_model : Type := W_ * R.

Section MultiRule.
Variable θ : W_ -> R -> R.
Definition multi_rule (ts : list (triple E)) (W : W_) := θ W (largest E (map (row E) ts)).

Definition multi_visit (s : multi_model) (e : E * nat) : multi_model := match highest (fst s) (fst e) (snd e) K with
  | Some r => if Rle_dec (⟨fst s (snd e), fst e⟩ - ⟨fst s r, fst e⟩) (θ (fst s) (snd s))
      then (fst s ⊕ η · kesler (fst e) (snd e) r, Rmax ‖(fst e)‖ (snd s)) else s
  | None => s
  end.
Definition multi_accepts (s : multi_model) (e : E * nat) := forall r, (r < K)%nat -> r <> snd e ->
  θ (fst s) (snd s) < ⟨fst s (snd e), fst e⟩ - ⟨fst s r, fst e⟩.
Definition multi_reached (s : multi_model) (k : nat) := exists ts,
  multi_run E K η example multi_rule ts (fst s) /\ snd s = largest E (map (row E) ts) /\ length ts = k.
Definition multi_start : multi_model := (zero, 0).
Definition multi_trained (order : nat -> list (E * nat)) (n : nat) := passes (E * nat) multi_model multi_visit multi_start order n.

Lemma multi_stays s e : multi_accepts s e -> multi_visit s e = s.
Proof.
  unfold multi_accepts, multi_visit. intros A. pose proof (highest_is (fst s) (fst e) (snd e) K) as H.
  destruct (highest _ _ _ K) as [r |]; [| easy]. destruct H as (L & D & _). specialize (A r L D).
  destruct (Rle_dec _ _); [lra | easy].
Qed.

Lemma multi_moves s e k : multi_reached s k -> In e examples -> multi_accepts s e \/ multi_reached (multi_visit s e) (S k).
Proof.
  intros (ts & H & L & N) I. unfold multi_accepts, multi_visit. pose proof (highest_is (fst s) (fst e) (snd e) K) as B.
  destruct (highest _ _ _ K) as [r |].
  - destruct B as (Lr & D & B). destruct (Rle_dec _ _) as [T | T]; [right | left].
    + exists (Build_triple E (fst e) (snd e) r :: ts). cbn [fst snd map largest row length].
      split; [| split; [now rewrite L | now rewrite N]].
      constructor; auto; [destruct e; exact I |]. unfold multi_rule. now rewrite <- L.
    + intros c Lc Dc. specialize (B c Lc Dc). lra.
  - left. intros c Lc Dc. elim Dc. now apply B.
Qed.

Lemma multi_begins : multi_reached multi_start 0.
Proof. exists []. split; [constructor | easy]. Qed.

Lemma multi_reached_bounded B : (forall ts W, multi_run E K η example multi_rule ts W -> count ts <= B) ->
  forall s k, multi_reached s k -> INR k <= B.
Proof. intros H s k (ts & R & _ & <-). now apply (H _ (fst s)). Qed.

Definition every_multi_order (order : nat -> list (E * nat)) := forall n, is_pass (E * nat) (fun e => In e examples) (order n).

Lemma multi_converges B order : (forall ts W, multi_run E K η example multi_rule ts W -> count ts <= B) ->
  every_multi_order order ->
  exists m ts W, INR m <= B /\ (forall n, (m <= n)%nat -> fst (multi_trained order n) = W) /\
    multi_run E K η example multi_rule ts W /\ multi_ended E K example multi_rule ts W.
Proof.
  intros H C.
  destruct (some_pass_settles _ _ _ _ _ _ _ multi_stays multi_moves multi_begins order C B (multi_reached_bounded B H)) as (m & L & A).
  assert (exists k, multi_reached (multi_trained order m) k) as (k & ts & R & Q & _).
  { unfold multi_trained. clear L A. induction m as [| n (k & R)]; [exists 0%nat; apply multi_begins |]. cbn [passes].
    destruct (visits _ _ _ _ _ _ multi_stays multi_moves (order n) _ k (fun i I => proj1 (C n i) I) R) as (j & R' & _).
    eauto. }
  exists m, ts, (fst (multi_trained order m)). split; [exact L | split; [| split; [exact R |]]].
  - intros n N. f_equal. now apply (settled_for_ever _ _ _ _ _ _ multi_stays order C).
  - intros x y r X Lr D. specialize (A (x, y) X r Lr D). simpl in A. unfold multi_rule. now rewrite <- Q.
Qed.

(** Stacked weights are equal if those of every class are. *)
Definition agree (W V : W_) := forall c, (c < K)%nat -> W c = V c.
Definition same_model (radius : bool) (s t : multi_model) := agree (fst s) (fst t) /\ (radius = true -> snd s = snd t).

Lemma highest_agree W V x y n : agree W V -> (n <= K)%nat -> highest W x y n = highest V x y n.
Proof.
  intros A. induction n as [| n IH]; intros L; [easy |]. simpl. rewrite IH by lia.
  destruct (Nat.eqb n y); [easy |]. pose proof (highest_is V x y n) as H. destruct (highest V x y n) as [r |]; [| easy].
  now rewrite (A r), (A n) by lia.
Qed.

Lemma multi_cycles radius m n B : (forall W V q p, agree W V -> (radius = true -> q = p) -> θ W q = θ V p) ->
  (m < n)%nat -> same_model radius (multi_trained (fun _ => examples) m) (multi_trained (fun _ => examples) n) ->
  ~ all_settled _ _ multi_accepts (fun e => In e examples) (multi_trained (fun _ => examples) (n - 1)) ->
  ~ forall ts W, multi_run E K η example multi_rule ts W -> count ts <= B.
Proof.
  intros F L Q N H.
  assert (V : forall s t e, In e examples -> same_model radius s t -> same_model radius (multi_visit s e) (multi_visit t e)).
  { intros [W q] [V p] [x y] I [A R]. simpl in A, R. assert (Y : (y < K)%nat) by now apply (classes x).
    unfold multi_visit. cbn [fst snd]. rewrite (highest_agree W V x y K A (le_n K)). pose proof (highest_is V x y K) as G.
    destruct (highest V x y K) as [r |]; [| easy]. rewrite (A y), (A r), (F W V q p) by (easy || apply G).
    destruct (Rle_dec _ _); [| easy]. split; [| intros T; simpl; now rewrite R]. intros c Lc. simpl. now rewrite A. }
  refine (cycle_unbounded _ _ _ _ examples multi_reached multi_start (same_model radius) multi_stays multi_moves multi_begins
    _ _ _ V _ m n L Q N B (multi_reached_bounded B H)).
  - intros s. now split.
  - intros s t [A R]. split; [intros c Lc; now rewrite A | intros T; now rewrite R].
  - intros s t u [A R] [A' R']. split; [intros c Lc; now rewrite A, A' | intros T; now rewrite R, R'].
  - intros [W q] [U p] [x y] I [A R] M r Lr D. specialize (M r Lr D). simpl in *.
    rewrite <- (A y), <- (A r), <- (F W U q p) by (eauto || lia). exact M.
Qed.
End MultiRule.

Definition multi_zero_rule (W : W_) (q : R) := 0.
Definition multi_relative_rule (γ' : R) (W : W_) (q : R) := γ' / 2 * ‖W‖.
Definition multi_fixed_rule (θ : R) (W : W_) (q : R) := θ.
Definition multi_adaptive_rule (W : W_) (q : R) := 2 * η * q ^ 2.

Definition multi_stays_at θ order m W := forall n, (m <= n)%nat -> fst (multi_trained θ order n) = W.
(** Every example has its highest score for its own class. *)
Definition multi_right (W : W_) := forall x y r, In (x, y) examples -> (r < K)%nat -> r <> y -> ⟨W r, x⟩ < ⟨W y, x⟩.

Section Separable.
Variables (U : W_) (γ r : R) (order : nat -> list (E * nat)).
Hypothesis separable : multi_separates E K example U γ.
Hypothesis radius : multi_within E example r.
Hypothesis passes_all : every_multi_order order.

Theorem multiclass_converges : exists m W, INR m <= 2 * (r / γ) ^ 2 /\
  multi_stays_at multi_zero_rule order m W /\ multi_right W.
Proof.
  destruct (multi_converges multi_zero_rule _ order (fun ts W => multiclass_bound E K η η_positive example classes U γ r ts W separable radius) passes_all)
    as (m & ts & W & B & F & _ & A).
  exists m, W. split; [exact B | split; [exact F |]]. intros x y c I Lc D. specialize (A x y c I Lc D).
  unfold multi_rule, multi_zero_rule in A. lra.
Qed.

Theorem multiclass_margin_converges γ' : 0 <= γ' < 2 * γ -> exists m W, INR m <= 2 * (r / (γ - γ' / 2)) ^ 2 /\
  multi_stays_at (multi_relative_rule γ') order m W /\ multi_right W /\
  (has_rival E K example -> multi_has_margin E K example W (γ' / 2)).
Proof.
  intros G.
  destruct (multi_converges (multi_relative_rule γ') _ order (fun ts W => multiclass_margin_bound E K η η_positive example classes U γ r γ' ts W separable radius G) passes_all)
    as (m & ts & W & B & F & _ & A).
  exists m, W. split; [exact B | split; [exact F | split]].
  - intros x y c I Lc D. specialize (A x y c I Lc D). unfold multi_rule, multi_relative_rule in A.
    pose proof (norm_nonneg _ W). nra.
  - intros X. apply (multiclass_margin_reached E K example classes γ' ts W X); [lra | exact A].
Qed.

Theorem multiclass_threshold_converges θ : 0 <= θ -> exists m W, INR m <= (2 * θ / η + 2 * r ^ 2) / γ ^ 2 /\
  multi_stays_at (multi_fixed_rule θ) order m W /\ multi_right W /\
  (has_rival E K example -> 0 < θ -> multi_has_margin E K example W (γ / (2 + 2 * η * r ^ 2 / θ))).
Proof.
  intros P.
  destruct (multi_converges (multi_fixed_rule θ) _ order (fun ts W => multiclass_threshold_bound E K η η_positive example classes U γ r θ ts W separable radius P) passes_all)
    as (m & ts & W & B & F & H & A).
  exists m, W. split; [exact B | split; [exact F | split]].
  - intros x y c I Lc D. specialize (A x y c I Lc D). unfold multi_rule, multi_fixed_rule in A. lra.
  - intros X Q. apply (multiclass_threshold_reached E K η η_positive example classes U γ r θ ts W X separable radius Q H A).
Qed.

Theorem multiclass_adaptive_converges : exists m W, INR m <= 6 * (r / γ) ^ 2 /\
  multi_stays_at multi_adaptive_rule order m W /\ multi_right W /\
  (has_rival E K example -> multi_has_margin E K example W (γ / 3)).
Proof.
  destruct (multi_converges multi_adaptive_rule _ order (fun ts W => multiclass_adaptive_bound E K η η_positive example classes U γ r ts W separable radius) passes_all)
    as (m & ts & W & B & F & H & A).
  exists m, W. split; [exact B | split; [exact F | split]].
  - intros x y c I Lc D. specialize (A x y c I Lc D). unfold multi_rule, multi_adaptive_rule in A.
    pose proof (pow2_ge_0 (largest E (map (row E) ts))). nra.
  - intros X. apply (multiclass_adaptive_reached E K η η_positive example classes U γ ts W X separable H A).
Qed.
End Separable.

(** *** What the models report as Cycled *)
Definition multi_order (n : nat) := examples.
Definition multi_cycled θ radius := exists m n, (m < n)%nat /\
  same_model radius (multi_trained θ multi_order m) (multi_trained θ multi_order n) /\
  ~ all_settled (E * nat) multi_model (multi_accepts θ) (fun e => In e examples) (multi_trained θ multi_order (n - 1)).
Definition multi_inseparable := forall W : W_, ~ multi_right W.

Lemma multi_right_separates W : has_rival E K example -> multi_right W ->
  exists γ r, multi_separates E K example W γ /\ multi_within E example r.
Proof.
  set (rivals := fun y => filter (fun r => negb (Nat.eqb r y)) (seq 0 K)).
  set (l := flat_map (fun e => map (fun r => kesler (K := K) (fst e) (snd e) r) (rivals (snd e))) examples).
  assert (T : forall x y r, In (x, y) examples -> (r < K)%nat -> r <> y -> In (kesler x y r : W_) l).
  { intros x y r I L D. apply in_flat_map. exists (x, y). split; [exact I |]. apply (in_map (fun r => kesler x y r)).
    apply filter_In. split; [apply in_seq; lia |]. apply negb_true_iff. now apply Nat.eqb_neq. }
  intros (x & y & r & I & L & D) M.
  destruct (separates_some W_ l W (kesler x y r) (T x y r I L D)) as (γ & P & N & B).
  { intros z Z. apply in_flat_map in Z as ([a b] & A & Z). apply in_map_iff in Z as (c & <- & Z). cbn [fst snd] in *.
    apply filter_In in Z as [Z C]. apply in_seq in Z. apply negb_true_iff, Nat.eqb_neq in C.
    rewrite inner_kesler; [| now apply (classes a) | lia | exact C]. specialize (M a b c A ltac:(lia) C). lra. }
  destruct (within_some E (map fst examples)) as (q & Q & F). exists γ, q.
  split; [split; [exact P | split; [exact N |]] | split; [exact Q |]].
  - intros a b c A C G. rewrite <- inner_kesler; [| now apply (classes a) | exact C | exact G]. now apply B, T.
  - intros a b A. apply F. now apply (in_map fst examples (a, b)).
Qed.

Lemma multi_unbounded θ radius B : (forall W V q p, agree W V -> (radius = true -> q = p) -> θ W q = θ V p) ->
  multi_cycled θ radius -> ~ forall ts W, multi_run E K η example (multi_rule θ) ts W -> count ts <= B.
Proof. intros F (m & n & L & Q & N). now apply (multi_cycles θ radius m n B). Qed.

Lemma cycled_has_rival θ radius : multi_cycled θ radius -> (has_rival E K example -> False) -> False.
Proof. intros (m & n & _ & _ & N) F. apply N. intros [x y] I r L D. elim F. exists x, y, r. now split. Qed.

Theorem multiclass_cycle : multi_cycled multi_zero_rule false -> multi_inseparable.
Proof.
  intros C W M. apply (cycled_has_rival _ _ C). intros X. destruct (multi_right_separates W X M) as (γ & r & S & L).
  apply (multi_unbounded multi_zero_rule false (2 * (r / γ) ^ 2) (fun _ _ _ _ _ _ => eq_refl) C).
  intros ts V H. now apply (multiclass_bound E K η η_positive example classes W γ r ts V).
Qed.

Theorem multiclass_threshold_cycle θ : 0 <= θ -> multi_cycled (multi_fixed_rule θ) false -> multi_inseparable.
Proof.
  intros P C W M. apply (cycled_has_rival _ _ C). intros X. destruct (multi_right_separates W X M) as (γ & r & S & L).
  apply (multi_unbounded (multi_fixed_rule θ) false ((2 * θ / η + 2 * r ^ 2) / γ ^ 2) (fun _ _ _ _ _ _ => eq_refl) C).
  intros ts V H. now apply (multiclass_threshold_bound E K η η_positive example classes W γ r θ ts V).
Qed.

Theorem multiclass_adaptive_cycle : multi_cycled multi_adaptive_rule true -> multi_inseparable.
Proof.
  intros C W M. apply (cycled_has_rival _ _ C). intros X. destruct (multi_right_separates W X M) as (γ & r & S & L).
  refine (multi_unbounded multi_adaptive_rule true (6 * (r / γ) ^ 2) _ C _).
  - intros A B q p _ Q. unfold multi_adaptive_rule. now rewrite Q.
  - intros ts V H. now apply (multiclass_adaptive_bound E K η η_positive example classes W γ r ts V).
Qed.

Lemma sum_to_agree (f g : nat -> R) n : (forall c, (c < n)%nat -> f c = g c) -> sum_to n f = sum_to n g.
Proof. induction n as [| n IH]; intros Q; simpl; [easy |]. rewrite Q, IH by auto. reflexivity. Qed.

Theorem multiclass_margin_cycle γ' : 0 <= γ' -> multi_cycled (multi_relative_rule γ') false ->
  forall W γ, multi_separates E K example W γ -> γ <= γ' / 2.
Proof.
  intros P C W γ S. apply Rnot_lt_le. intros G. destruct (within_some E (map fst examples)) as (r & Q & F).
  assert (L : multi_within E example r).
  { split; [exact Q |]. intros a b A. apply F. now apply (in_map fst examples (a, b)). }
  refine (multi_unbounded (multi_relative_rule γ') false (2 * (r / (γ - γ' / 2)) ^ 2) _ C _).
  - intros A B q p T _. unfold multi_relative_rule. f_equal. unfold norm. f_equal. apply sum_to_agree.
    intros c Lc. now rewrite T.
  - intros ts V H. apply (multiclass_margin_bound E K η η_positive example classes W γ r γ' ts V S L); [lra | exact H].
Qed.
End Classes.
