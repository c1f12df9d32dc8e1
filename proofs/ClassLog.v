(** A checker for logs of Multiclass: Kesler's construction with θ = 0 and η = 1. *)

From Perceptron Require Export Log Multiclass ClassConvergence.
Require Import Lra Psatz Lia Bool.

(** ** What a log says *)

(** A table of several classes 0, 1, …, K − 1. *)
Definition class_table := list (list Decimal.decimal * nat).
Definition examples_of (k : kind) (t : class_table) : list (sequences * nat) :=
  map (fun e => (vector_of k (fst e), snd e)) t.

(** A pass visits the examples in their order, which begins at number i. An update names
    the class with the highest score of the others, the lowest of several. *)
Inductive class_pass {E : space} (K : nat) : stack E K -> Z -> list (E * nat) -> list Z -> stack E K -> Prop :=
| class_pass_end W i : class_pass K W i [] [] W
| class_pass_mistake W i x y r es us V : highest E K W x y K = Some r -> ⟨W y, x⟩ - ⟨W r, x⟩ <= 0 ->
    class_pass K (W ⊕ 1 · kesler x y r) (i + 1) es us V -> class_pass K W i ((x, y) :: es) (i :: us) V
| class_pass_right W i x y es us V : (forall r, (r < K)%nat -> r <> y -> ⟨W r, x⟩ < ⟨W y, x⟩) ->
    class_pass K W (i + 1) es us V -> class_pass K W i ((x, y) :: es) us V.

Inductive class_training {E : space} (K : nat) (es : list (E * nat)) : stack E K -> list (list Z) -> stack E K -> Prop :=
| class_training_end W : class_training K es W [] W
| class_training_pass W us V log X : class_pass K W 0 es us V -> class_training K es V log X -> class_training K es W (us :: log) X.

(** Multiclass trains from zero as the log says, which has so many mistakes. This is a run of
    the rule with as many updates, and it ends with every example right. *)
Definition multiclass_log (k : kind) (K : nat) (t : class_table) (log : list (list Z)) (mistakes_made : Z) := exists ts W,
  class_training K (examples_of k t) zero log W /\ updates log = mistakes_made /\
  multi_run sequences K 1 (example sequences (examples_of k t)) zero (multi_mistakes sequences K) ts W /\
  count ts = IZR mistakes_made /\ multi_right sequences K (examples_of k t) W.

(** ** The checker *)
Open Scope Z_scope.
Open Scope bool_scope.

Fixpoint z_highest (scores : list Z) (y n : nat) : option nat := match n with
  | O => None
  | S c => if Nat.eqb c y then z_highest scores y c else match z_highest scores y c with
      | Some r => if nth r scores 0 <? nth c scores 0 then Some c else Some r
      | None => Some c
      end
  end.

Fixpoint z_change (c y r : nat) (x : list Z) (W : list (list Z)) : list (list Z) := match W with
  | [] => []
  | w :: W => (if Nat.eqb c y then z_add w x else if Nat.eqb c r then z_add w (map (Z.mul (-1)) x) else w)
      :: z_change (S c) y r x W
  end.

Fixpoint z_class_pass (K : nat) (W : list (list Z)) (i : Z) (es : list (list Z * nat)) (us : list Z) : option (list (list Z)) := match es with
  | [] => match us with [] => Some W | _ => None end
  | (x, y) :: es =>
    let scores := map (fun w => z_inner w x) W in
    match z_highest scores y K with
    | Some r => if nth y scores 0 - nth r scores 0 <=? 0 then match us with
        | u :: us => if u =? i then z_class_pass K (z_change 0 y r x W) (i + 1) es us else None
        | [] => None
        end
      else z_class_pass K W (i + 1) es us
    | None => z_class_pass K W (i + 1) es us
    end
  end.

Fixpoint z_class_training (K : nat) (es : list (list Z * nat)) (W : list (list Z)) (log : list (list Z)) : option (list (list Z)) := match log with
  | [] => Some W
  | us :: log => match z_class_pass K W 0 es us with Some V => z_class_training K es V log | None => None end
  end.

Definition unsigned (t : class_table) : table := map (fun e => (fst e, true)) t.
Definition z_examples (k : kind) (s : Z) (t : class_table) := map (fun e => (z_row k s (fst e, true), snd e)) t.

Definition check_multiclass (k : kind) (K : nat) (t : class_table) (log : list (list Z)) (n : Z) :=
  forallb (fun e => Nat.ltb (snd e) K) t && clean_end log && (updates log =? n) &&
  is_some (z_class_training K (z_examples k (scale_of (unsigned t)) t) (repeat [] K) log).

(** ** The checker is right *)
Close Scope Z_scope.

Section Replay.
Variables (k : kind) (K : nat) (t : class_table).
Notation s := (scale_of (unsigned t)).
Notation c := (powerRZ 10 (- s)).
Hypothesis classes_below : forall e, In e t -> (snd e < K)%nat.

Lemma real_example e : In e t -> real (z_row k s (fst e, true)) = c · vector_of k (fst e).
Proof.
  intros I. rewrite (real_row k (unsigned t) (fst e, true)) by (apply (in_map (fun e => (fst e, true))), I).
  unfold signed_row. cbn [fst snd]. now rewrite scale_one.
Qed.

(** Integer weights are the weights times 10⁻ˢ. *)
Definition matches (V : list (list Z)) (W : stack sequences K) := length V = K /\
  forall j, (j < K)%nat -> real (nth j V []) = c · W j.

Lemma score_matches V W e j : matches V W -> In e t -> (j < K)%nat ->
  IZR (nth j (map (fun w => z_inner w (z_row k s (fst e, true))) V) 0%Z) = c * (c * ⟨W j, vector_of k (fst e)⟩).
Proof.
  intros [L M] I J. rewrite (nth_indep _ 0%Z (z_inner [] (z_row k s (fst e, true)))) by (rewrite map_length; lia).
  rewrite (map_nth (fun w => z_inner w (z_row k s (fst e, true)))), real_inner, (M j J), (real_example e I).
  now rewrite inner_scale, inner_scale_r.
Qed.

Lemma c_positive : 0 < c.
Proof. apply ten_positive. Qed.

Lemma highest_matches V W e y n : matches V W -> In e t -> (n <= K)%nat ->
  z_highest (map (fun w => z_inner w (z_row k s (fst e, true))) V) y n = highest sequences K W (vector_of k (fst e)) y n.
Proof.
  intros M I. pose proof c_positive as C. induction n as [| n IH]; intros L; [easy |]. cbn [z_highest highest].
  rewrite IH by lia. destruct (Nat.eqb n y); [easy |].
  pose proof (highest_is sequences K W (vector_of k (fst e)) y n) as H. destruct (highest _ _ _ _ y n) as [r |]; [| easy].
  pose proof (score_matches V W e r M I ltac:(lia)) as A. pose proof (score_matches V W e n M I ltac:(lia)) as B.
  destruct (Z.ltb_spec (nth r (map (fun w => z_inner w (z_row k s (fst e, true))) V) 0%Z) (nth n (map (fun w => z_inner w (z_row k s (fst e, true))) V) 0%Z)) as [Q | Q];
    (apply IZR_lt in Q || apply IZR_le in Q); rewrite A, B in Q; destruct (Rlt_dec _ _) as [T | T]; try easy.
  - elim T. apply Rnot_le_lt. intros G. assert (c * ⟨W n, vector_of k (fst e)⟩ <= c * ⟨W r, vector_of k (fst e)⟩) by (apply Rmult_le_compat_l; lra). nra.
  - assert (c * ⟨W r, vector_of k (fst e)⟩ < c * ⟨W n, vector_of k (fst e)⟩) by (apply Rmult_lt_compat_l; lra). nra.
Qed.

Lemma change_length b y r x V : length (z_change b y r x V) = length V.
Proof. revert b. induction V; intros b; simpl; auto. Qed.

Lemma change_nth b y r x V j : (j < length V)%nat -> nth j (z_change b y r x V) [] =
  (if Nat.eqb (b + j) y then z_add (nth j V []) x else if Nat.eqb (b + j) r then z_add (nth j V []) (map (Z.mul (-1)) x) else nth j V []).
Proof.
  revert b j. induction V as [| w V IH]; intros b [| j] L; simpl in *; try lia; [now rewrite Nat.add_0_r |].
  rewrite (IH (S b) j) by lia. now replace (S b + j)%nat with (b + S j)%nat by lia.
Qed.

Lemma add_nothing (v : sequences) : v ⊕ 1 · zero = v.
Proof. now destruct v. Qed.

Lemma change_matches V W e r : matches V W -> In e t -> (r < K)%nat ->
  matches (z_change 0 (snd e) r (z_row k s (fst e, true)) V) (W ⊕ 1 · kesler (vector_of k (fst e)) (snd e) r).
Proof.
  intros [L M] I R. split; [now rewrite change_length |]. intros j J. rewrite change_nth by lia. cbn [Nat.add].
  change ((W ⊕ 1 · kesler (vector_of k (fst e)) (snd e) r) j) with (W j ⊕ 1 · (kesler (K := K) (vector_of k (fst e)) (snd e) r j)).
  unfold kesler. destruct (Nat.eqb j (snd e)); [| destruct (Nat.eqb j r)].
  - now rewrite real_add, (M j J), (real_example e I), scale_one, scale_add.
  - rewrite real_add, (M j J), real_scale, (real_example e I), scale_one, scale_add. f_equal.
    simpl. rewrite !map_map. apply map_ext. intros a. ring.
  - rewrite (M j J). f_equal. symmetry. apply add_nothing.
Qed.

Lemma class_pass_sound (es : class_table) V i us V' W : (forall e, In e es -> In e t) ->
  z_class_pass K V i (z_examples k s es) us = Some V' -> matches V W ->
  exists W', class_pass K W i (examples_of k es) us W' /\ matches V' W'.
Proof.
  pose proof c_positive as C. revert V i us W. induction es as [| e es IH]; intros V i us W I; cbn [z_examples examples_of map z_class_pass].
  - destruct us; [| easy]. intros [= <-] M. exists W. split; [constructor | exact M].
  - intros H M. assert (Ie : In e t) by (apply I; now left).
    rewrite (highest_matches V W e (snd e) K M Ie (le_n K)) in H.
    pose proof (highest_is sequences K W (vector_of k (fst e)) (snd e) K) as B.
    pose proof (classes_below e Ie) as Y. destruct (highest sequences K W _ _ K) as [r |] eqn:Q.
    + destruct B as (R & D & B).
      pose proof (score_matches V W e (snd e) M Ie Y) as Sy. pose proof (score_matches V W e r M Ie R) as Sr.
      destruct (Z.leb_spec (nth (snd e) (map (fun w => z_inner w (z_row k s (fst e, true))) V) 0 - nth r (map (fun w => z_inner w (z_row k s (fst e, true))) V) 0)%Z 0%Z) as [L | L].
      * destruct us as [| u us]; [easy |]. destruct (Z.eqb_spec u i) as [-> |]; [| easy].
        destruct (IH _ _ _ _ (fun e H => I e (or_intror H)) H (change_matches V W e r M Ie R)) as (W' & P & N).
        exists W'. split; [| exact N]. apply (class_pass_mistake K W i _ _ r); [exact Q | | exact P].
        apply IZR_le in L. rewrite minus_IZR, Sy, Sr in L. apply Rnot_lt_le. intros G.
        assert (0 < c * (⟨W (snd e), vector_of k (fst e)⟩ - ⟨W r, vector_of k (fst e)⟩)) by (apply Rmult_lt_0_compat; lra). nra.
      * destruct (IH _ _ _ _ (fun e H => I e (or_intror H)) H M) as (W' & P & N). exists W'. split; [| exact N].
        apply class_pass_right; [| exact P]. intros q Lq Dq. specialize (B q Lq Dq).
        apply IZR_lt in L. rewrite minus_IZR, Sy, Sr in L. apply Rnot_le_lt. intros G.
        assert (c * (⟨W (snd e), vector_of k (fst e)⟩ - ⟨W r, vector_of k (fst e)⟩) <= c * 0) by (apply Rmult_le_compat_l; lra). nra.
    + destruct (IH _ _ _ _ (fun e H => I e (or_intror H)) H M) as (W' & P & N). exists W'. split; [| exact N].
      apply class_pass_right; [| exact P]. intros q Lq Dq. elim Dq. now apply B.
Qed.

Lemma class_training_sound V log V' W : z_class_training K (z_examples k s t) V log = Some V' -> matches V W ->
  exists W', class_training K (examples_of k t) W log W' /\ matches V' W'.
Proof.
  revert V W. induction log as [| us log IH]; intros V W; cbn [z_class_training].
  - intros [= <-] M. exists W. split; [constructor | exact M].
  - destruct (z_class_pass _ _ _ _ _) as [U |] eqn:P; [| easy]. intros H M.
    destruct (class_pass_sound t V 0 us U W (fun e I => I) P M) as (X & A & B).
    destruct (IH U X H B) as (Y & C & D). exists Y. split; [econstructor; eauto | exact D].
Qed.
End Replay.

Section Runs.
Variables (E : space) (K : nat) (all : list (E * nat)).
Hypothesis classes : forall x y, In (x, y) all -> (y < K)%nat.
Notation multi := (multi_run E K 1 (example E all) zero (multi_mistakes E K)).

Lemma class_pass_run W i es us V ts : (forall e, In e es -> In e all) -> class_pass K W i es us V -> multi ts W ->
  exists ts', multi ts' V /\ length ts' = (length us + length ts)%nat.
Proof.
  intros I P. revert ts I. induction P as [W i | W i x y r es us V Q L P IH | W i x y es us V L P IH]; intros ts I H.
  - now exists ts.
  - pose proof (highest_is E K W x y K) as B. rewrite Q in B. destruct B as (R & D & _).
    destruct (IH (Build_triple E x y r :: ts)) as (ts' & A & B); [intros; apply I; now right | |].
    + constructor; auto. apply I. now left.
    + exists ts'. split; [exact A | simpl in *; lia].
  - apply IH; [intros; apply I; now right | exact H].
Qed.

Lemma class_training_run W log V ts : class_training K all W log V -> multi ts W ->
  exists ts', multi ts' V /\ length ts' = (length (concat log) + length ts)%nat.
Proof.
  intros T. revert ts. induction T as [W | W us V log X P T IH]; intros ts H; [now exists ts |].
  destruct (class_pass_run W 0%Z all us V ts (fun e I => I) P H) as (r1 & A & B).
  destruct (IH r1 A) as (r2 & C & D). exists r2. split; [exact C |]. simpl. rewrite app_length. lia.
Qed.

Lemma clean_class_pass (W V : stack E K) i es us : class_pass K W i es us V -> us = [] -> V = W /\
  forall x y r, In (x, y) es -> (r < K)%nat -> r <> y -> ⟨W r, x⟩ < ⟨W y, x⟩.
Proof.
  induction 1 as [W i | W i x y r es us V Q L P IH | W i x y es us V L P IH]; intros U; [easy | easy |].
  destruct (IH U) as [-> R]. split; [easy |]. intros a b c [[= <- <-] | I]; [apply L | now apply R].
Qed.

Lemma clean_class_training (W V : stack E K) log : class_training K all W log V -> clean_end log = true -> multi_right E K all V.
Proof.
  induction 1 as [W | W us V log X P T IH]; [easy |]. destruct log as [| us' log]; [| intros C; now apply IH].
  inversion T; subst. unfold clean_end. simpl. destruct us; [| easy]. intros _.
  destruct (clean_class_pass _ _ _ _ _ P eq_refl) as [-> R]. exact R.
Qed.
End Runs.

Theorem multiclass_log_sound k K t log n : check_multiclass k K t log n = true -> multiclass_log k K t log n.
Proof.
  unfold check_multiclass. rewrite !andb_true_iff, forallb_forall. intros [[[B C] N] S].
  assert (Y : forall e, In e t -> (snd e < K)%nat) by (intros e I; now apply Nat.ltb_lt, B).
  destruct (z_class_training _ _ _ _) as [V |] eqn:T; [| easy].
  destruct (class_training_sound k K t Y (repeat [] K) log V zero T) as (W & A & _).
  { split; [apply repeat_length |]. intros j J. now rewrite nth_repeat. }
  destruct (class_training_run _ K _ _ _ _ [] A (multi_begin _ _ _ _ _ _)) as (ts & R & L). exists ts, W.
  apply Z.eqb_eq in N. split; [exact A | split; [exact N | split; [exact R | split]]].
  - unfold updates in N. unfold count. rewrite L, <- N, <- INR_IZR_INZ. f_equal. simpl. lia.
  - apply (clean_class_training _ K _ _ _ _ A C).
Qed.

Theorem multiclass_log_number k K t log m n : multiclass_log k K t log m -> multiclass_log k K t log n -> m = n.
Proof. intros (_ & _ & _ & <- & _) (_ & _ & _ & <- & _). reflexivity. Qed.
