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

(** Training starts from any weights and R_t, as training that continues does. *)
Variables (start : W_) (q0 : R).
Hypothesis q0_nonneg : 0 <= q0.

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
Definition multi_largest (ts : list (triple E)) := Rmax q0 (largest E (map (row E) ts)).
Definition multi_rule (ts : list (triple E)) (W : W_) := θ W (multi_largest ts).

Definition multi_visit (s : multi_model) (e : E * nat) : multi_model := match highest (fst s) (fst e) (snd e) K with
  | Some r => if Rle_dec (⟨fst s (snd e), fst e⟩ - ⟨fst s r, fst e⟩) (θ (fst s) (snd s))
      then (fst s ⊕ η · kesler (fst e) (snd e) r, Rmax ‖(fst e)‖ (snd s)) else s
  | None => s
  end.
Definition multi_accepts (s : multi_model) (e : E * nat) := forall r, (r < K)%nat -> r <> snd e ->
  θ (fst s) (snd s) < ⟨fst s (snd e), fst e⟩ - ⟨fst s r, fst e⟩.
Definition multi_reached (s : multi_model) (k : nat) := exists ts,
  multi_run E K η example start multi_rule ts (fst s) /\ snd s = multi_largest ts /\ length ts = k.
Definition multi_start : multi_model := (start, q0).
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
    + exists (Build_triple E (fst e) (snd e) r :: ts). cbn [fst snd length].
      split; [| split; [| now rewrite N]].
      2: { rewrite L. unfold multi_largest. cbn [map row largest]. rewrite !(Rmax_comm q0), Rmax_assoc. reflexivity. }
      constructor; auto; [destruct e; exact I |]. unfold multi_rule. now rewrite <- L.
    + intros c Lc Dc. specialize (B c Lc Dc). lra.
  - left. intros c Lc Dc. elim Dc. now apply B.
Qed.

Lemma multi_begins : multi_reached multi_start 0.
Proof. exists []. split; [constructor | split; [symmetry; now apply Rmax_left | easy]]. Qed.

Lemma multi_reached_bounded B : (forall ts W, multi_run E K η example start multi_rule ts W -> count ts <= B) ->
  forall s k, multi_reached s k -> INR k <= B.
Proof. intros H s k (ts & R & _ & <-). now apply (H _ (fst s)). Qed.

Definition every_multi_order (order : nat -> list (E * nat)) := forall n, is_pass (E * nat) (fun e => In e examples) (order n).

Lemma multi_converges B order : (forall ts W, multi_run E K η example start multi_rule ts W -> count ts <= B) ->
  every_multi_order order ->
  exists m ts W, INR m <= B /\ (forall n, (m <= n)%nat -> fst (multi_trained order n) = W) /\
    multi_run E K η example start multi_rule ts W /\ multi_ended E K example multi_rule ts W.
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

(** The rules with θ ≤ c on the examples. *)
Lemma bounded_rule_within θ c : 0 <= c -> (forall W q, q <= Rmax q0 r -> 0 <= q -> θ W q <= c) ->
  forall ts W, multi_run E K η example start (multi_rule θ) ts W -> count ts <= (2 * c / η + 2 * r ^ 2) / γ ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros P T ts W H. apply (multiclass_bound_start E K η η_positive example classes start U γ r (multi_rule θ) c ts W); auto.
  intros us V F. unfold multi_rule, multi_largest. apply T; [| apply (Rle_trans _ q0), Rmax_l; exact q0_nonneg].
  apply Rmax_lub; [apply Rmax_l |]. apply (Rle_trans _ r), Rmax_r. destruct radius as [R0 L].
  clear -F R0 L. induction F as [| t us X _ IH]; simpl; [exact R0 |]. apply Rmax_lub; eauto.
Qed.

Theorem multiclass_converges : exists m W, INR m <= 2 * (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ) /\
  multi_stays_at multi_zero_rule order m W /\ multi_right W.
Proof.
  destruct (multi_converges multi_zero_rule _ order (bounded_rule_within multi_zero_rule 0 (Rle_refl 0) (fun _ _ _ _ => Rle_refl 0)) passes_all)
    as (m & ts & W & B & F & _ & A).
  exists m, W. split; [| split; [exact F |]].
  - replace (2 * (r / γ) ^ 2) with ((2 * 0 / η + 2 * r ^ 2) / γ ^ 2) by (destruct separable; field; lra). exact B.
  - intros x y c I Lc D. specialize (A x y c I Lc D). unfold multi_rule, multi_zero_rule in A. lra.
Qed.

Theorem multiclass_margin_converges γ' : 0 <= γ' < 2 * γ -> exists m W,
  INR m <= 2 * (r / (γ - γ' / 2)) ^ 2 + 2 * ‖start‖ / (η * (γ - γ' / 2)) /\
  multi_stays_at (multi_relative_rule γ') order m W /\ multi_right W /\
  (has_rival E K example -> multi_has_margin E K example W (γ' / 2)).
Proof.
  intros G.
  destruct (multi_converges (multi_relative_rule γ') _ order (fun ts W => multiclass_margin_bound_start E K η η_positive example classes start U γ r γ' ts W separable radius G) passes_all)
    as (m & ts & W & B & F & _ & A).
  exists m, W. split; [exact B | split; [exact F | split]].
  - intros x y c I Lc D. specialize (A x y c I Lc D). unfold multi_rule, multi_relative_rule in A.
    pose proof (norm_nonneg _ W). nra.
  - intros X. apply (multiclass_margin_reached E K example classes γ' ts W X); [lra | exact A].
Qed.

Theorem multiclass_threshold_converges θ : 0 <= θ -> exists m W,
  INR m <= (2 * θ / η + 2 * r ^ 2) / γ ^ 2 + 2 * ‖start‖ / (η * γ) /\
  multi_stays_at (multi_fixed_rule θ) order m W /\ multi_right W /\
  (start = zero -> has_rival E K example -> 0 < θ -> multi_has_margin E K example W (γ / (2 + 2 * η * r ^ 2 / θ))).
Proof.
  intros P.
  destruct (multi_converges (multi_fixed_rule θ) _ order (bounded_rule_within (multi_fixed_rule θ) θ P (fun _ _ _ _ => Rle_refl θ)) passes_all)
    as (m & ts & W & B & F & H & A).
  exists m, W. split; [exact B | split; [exact F | split]].
  - intros x y c I Lc D. specialize (A x y c I Lc D). unfold multi_rule, multi_fixed_rule in A. lra.
  - intros Z X Q. rewrite Z in H. apply (multiclass_threshold_reached E K η η_positive example classes U γ r θ ts W X separable radius Q H A).
Qed.

(** r bounds R_0 too: the rows that the training before updated on. *)
Theorem multiclass_adaptive_converges : q0 <= r -> exists m W, INR m <= 6 * (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ) /\
  multi_stays_at multi_adaptive_rule order m W /\ multi_right W /\
  (start = zero -> q0 = 0 -> has_rival E K example -> multi_has_margin E K example W (γ / 3)).
Proof.
  intros Q. assert (R0 : 0 <= r) by apply radius. pose proof (pow2_ge_0 r).
  assert (T : forall (W : W_) q, q <= Rmax q0 r -> 0 <= q -> multi_adaptive_rule W q <= 2 * η * r ^ 2).
  { intros W q L N. rewrite Rmax_right in L by exact Q. unfold multi_adaptive_rule. apply Rmult_le_compat_l; [lra |]. now apply pow_incr. }
  destruct (multi_converges multi_adaptive_rule _ order (bounded_rule_within multi_adaptive_rule (2 * η * r ^ 2) ltac:(nra) T) passes_all)
    as (m & ts & W & B & F & G & A).
  exists m, W. split; [| split; [exact F | split]].
  - replace (6 * (r / γ) ^ 2) with ((2 * (2 * η * r ^ 2) / η + 2 * r ^ 2) / γ ^ 2) by (destruct separable; field; lra). exact B.
  - intros x y c I Lc D. specialize (A x y c I Lc D). unfold multi_rule, multi_adaptive_rule in A.
    pose proof (pow2_ge_0 (multi_largest ts)). nra.
  - intros Z Y X. rewrite Z in G.
    assert (E0 : forall us V, multi_rule multi_adaptive_rule us V = multi_adaptive E K η us V).
    { intros. unfold multi_rule, multi_adaptive_rule, multi_adaptive, multi_largest. rewrite Y, Rmax_right; [easy | apply largest_nonneg]. }
    apply (multiclass_adaptive_reached E K η η_positive example classes U γ ts W X separable).
    + clear -G E0. induction G; constructor; auto. now rewrite <- E0.
    + intros x y c I Lc D. rewrite <- E0. now apply A.
Qed.
End Separable.

(** *** What Multiclass reports as Cycled *)
Definition multi_order (n : nat) := examples.
Definition agree (W V : W_) := forall c, (c < K)%nat -> W c = V c.
Definition multi_cycled θ := exists m n, (m < n)%nat /\
  agree (fst (multi_trained θ multi_order m)) (fst (multi_trained θ multi_order n)) /\
  ~ all_settled _ _ (multi_accepts θ) (fun e => In e examples) (multi_trained θ multi_order (n - 1)).
Definition multi_inseparable := forall W, ~ multi_right W.

Lemma sum_to_agree (f g : nat -> R) n : (forall c, (c < n)%nat -> f c = g c) -> sum_to n f = sum_to n g.
Proof. induction n as [| n IH]; intros Q; simpl; [easy |]. rewrite Q, IH by auto. reflexivity. Qed.

(** ⟨V, W⟩ rises at each update, for a V that separates. If it does not, all examples were accepted. *)
Lemma multi_rises θ V l s : multi_right V -> (forall e, In e l -> In e examples) ->
  ⟨V, fst s⟩ <= ⟨V, fst (fold_left (multi_visit θ) l s)⟩ /\
  (⟨V, fst (fold_left (multi_visit θ) l s)⟩ <= ⟨V, fst s⟩ -> forall e, In e l -> multi_accepts θ s e).
Proof.
  intros M. revert s. induction l as [| [x y] l IH]; intros s I; [split; [apply Rle_refl | easy] |]. cbn [fold_left].
  assert (Ie : example x y) by (apply I; now left). specialize (IH (multi_visit θ s (x, y)) (fun e H => I e (or_intror H))).
  pose proof (highest_is (fst s) x y K) as B. destruct IH as [G1 G2].
  assert (C : (multi_visit θ s (x, y) = s /\ multi_accepts θ s (x, y)) \/ ⟨V, fst s⟩ < ⟨V, fst (multi_visit θ s (x, y))⟩).
  { unfold multi_visit, multi_accepts. cbn [fst snd]. destruct (highest (fst s) x y K) as [r |].
    - destruct B as (R & D & B). destruct (Rle_dec _ _) as [T | T].
      + right. cbn [fst]. rewrite inner_add_r, inner_scale_r, inner_kesler by eauto. specialize (M x y r Ie R D).
        assert (0 < η * (⟨V y, x⟩ - ⟨V r, x⟩)) by (apply Rmult_lt_0_compat; lra). lra.
      + left. split; [easy |]. intros c Lc Dc. specialize (B c Lc Dc). lra.
    - left. split; [easy |]. intros c Lc Dc. elim Dc. now apply B. }
  destruct C as [[V0 A] | C]; [rewrite V0 in * | lra]. split; [exact G1 |]. intros T e [<- | X]; [exact A | now apply G2].
Qed.

Theorem multiclass_cycle_inseparable θ : multi_cycled θ -> multi_inseparable.
Proof.
  intros (m & n & L & A & N) V M.
  assert (Q : ⟨V, fst (multi_trained θ multi_order m)⟩ = ⟨V, fst (multi_trained θ multi_order n)⟩).
  { apply sum_to_agree. intros c C. now rewrite (A c C). }
  assert (U : forall j, ⟨V, fst (multi_trained θ multi_order m)⟩ <= ⟨V, fst (multi_trained θ multi_order (j + m))⟩).
  { induction j as [| j IH]; [apply Rle_refl |]. apply (Rle_trans _ _ _ IH). apply (multi_rises θ V examples _ M (fun e I => I)). }
  apply N. specialize (U (n - 1 - m)%nat). replace (n - 1 - m + m)%nat with (n - 1)%nat in U by lia.
  intros e I. apply (multi_rises θ V examples (multi_trained θ multi_order (n - 1)) M (fun e I => I)); [| exact I].
  change (fold_left (multi_visit θ) examples (multi_trained θ multi_order (n - 1))) with (multi_trained θ multi_order (S (n - 1))).
  replace (S (n - 1)) with n by lia. rewrite <- Q. exact U.
Qed.
End Classes.
