(** Kesler's construction converges, and what a cycle of it proves. *)

From Perceptron Require Import Space Online Threshold Multiclass Separation.
From Perceptron Require Export Convergence.
Require Import Lra Psatz Lia Bool.

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
