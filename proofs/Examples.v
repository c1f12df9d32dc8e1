(** Novikoff's bound, those of batch gradient descent and those of inseparable data are
    exact: for every number n of rows some data makes a run reach them. The rows are the
    unit vectors e₀ … eₙ₋₁, or copies of one row. *)

From Perceptron Require Import Space Online Threshold Batch Mix Multiclass Separation Convergence Rounding.
Require Import Lra Psatz Lia.

Definition e (i : nat) : sequences := repeat 0 i ++ [1].
Definition level (a : R) (n : nat) : sequences := repeat a n.

(** The unit vectors, the last one first. *)
Fixpoint units (n : nat) : list sequences := match n with O => [] | S n => e n :: units n end.

Lemma inner_units i j : ⟨e i, e j⟩ = if Nat.eqb i j then 1 else 0.
Proof.
  revert j. induction i as [| i IH]; intros [| j]; cbn; [lra | | |].
  - destruct j; cbn; lra.
  - destruct i; cbn; lra.
  - specialize (IH j). cbn in IH. unfold e in IH. rewrite IH. destruct (Nat.eqb i j); lra.
Qed.

Lemma inner_level a n i : (i < n)%nat -> ⟨level a n, e i⟩ = a.
Proof.
  revert i. induction n as [| n IH]; intros [| i] L; try lia; cbn.
  - destruct n; cbn; lra.
  - specialize (IH i ltac:(lia)). cbn in IH. unfold e, level in IH. rewrite IH. lra.
Qed.

Lemma square_level a n : ⟨level a n, level a n⟩ = INR n * a ^ 2.
Proof.
  induction n as [| n IH]; [cbn; lra |]. rewrite S_INR. cbn in *. unfold level in IH. rewrite IH. lra.
Qed.

Lemma count_units n : count (units n) = INR n.
Proof. unfold count. f_equal. induction n; cbn [units length]; congruence. Qed.

Lemma in_units z n : In z (units n) -> exists i, (i < n)%nat /\ z = e i.
Proof.
  induction n as [| n IH]; [easy |]. intros [<- | I]; [exists n; split; [lia | easy] |].
  destruct (IH I) as (i & L & ->). exists i. split; [lia | easy].
Qed.

Lemma norm_e i : ‖(e i)‖ = 1.
Proof. unfold norm. rewrite inner_units, Nat.eqb_refl. apply sqrt_1. Qed.

Lemma units_within n : within (fun z => In z (units n)) 1.
Proof.
  split; [lra |]. intros z I. destruct (in_units z n I) as (i & _ & ->). rewrite norm_e. lra.
Qed.

(** u = Σe/√n has margin 1/√n. *)
Section Direction.
Variable n : nat.
Hypothesis n_positive : (0 < n)%nat.
Definition u : sequences := level (/ sqrt (INR n)) n.

Lemma root_positive : 0 < sqrt (INR n).
Proof. apply sqrt_lt_R0, lt_0_INR, n_positive. Qed.

Lemma root_square : sqrt (INR n) ^ 2 = INR n.
Proof. apply pow2_sqrt, pos_INR. Qed.

Lemma norm_u : ‖u‖ = 1.
Proof.
  unfold norm, u. rewrite square_level, <- sqrt_1. f_equal. pose proof root_positive.
  rewrite <- root_square at 1. field. lra.
Qed.

Lemma units_separated : separates (fun z => In z (units n)) u (/ sqrt (INR n)).
Proof.
  split; [apply Rinv_0_lt_compat, root_positive | unfold has_margin; rewrite norm_u; split; [lra |]].
  intros z I. destruct (in_units z n I) as (i & L & ->). unfold u. rewrite inner_level by easy. lra.
Qed.

(** ** Novikoff's bound: a run that updates on every unit vector once *)
Lemma total_units k i : (k <= i)%nat -> ⟨e i, total (units k)⟩ = 0.
Proof.
  induction k as [| k IH]; intros L; cbn [units total fold_right]; [apply inner_zero_r |].
  rewrite inner_add_r, inner_units. change (fold_right add zero (units k)) with (total (units k)).
  rewrite IH by lia. destruct (Nat.eqb_spec i k); [lia | lra].
Qed.

Lemma in_units_at k m : (k < m)%nat -> In (e k) (units m).
Proof. induction m; intros L; [lia |]. simpl. destruct (Nat.eq_dec m k) as [-> |]; [now left | right; apply IHm; lia]. Qed.

Lemma units_run η k : (k <= n)%nat ->
  exists w, run η (fun z => In z (units n)) zero mistakes (units k) w.
Proof.
  induction k as [| k IH]; intros L; [exists zero; constructor |].
  destruct IH as [w H]; [lia |]. exists (w ⊕ η · e k). cbn [units].
  constructor; [exact H | now apply in_units_at |]. unfold mistakes.
  rewrite inner_sym, (run_sum _ _ _ _ _ _ _ H), inner_zero_r, total_units by lia. lra.
Qed.

Theorem novikoff_attained η : exists zs w,
  separates (fun z => In z (units n)) u (/ sqrt (INR n)) /\ within (fun z => In z (units n)) 1 /\
  run η (fun z => In z (units n)) zero mistakes zs w /\ count zs = (1 / / sqrt (INR n)) ^ 2.
Proof.
  destruct (units_run η n (le_n n)) as [w H]. exists (units n), w.
  split; [apply units_separated | split; [apply units_within | split; [exact H |]]].
  rewrite count_units, <- root_square at 1. pose proof root_positive. f_equal. field. lra.
Qed.

(** ** Batch gradient descent: the first epoch misclassifies every row *)
Lemma part_all A (zs : list A) : part zs zs.
Proof. induction zs; now constructor. Qed.

Lemma first_epoch (E : space) η (rows : list E) : batch η rows zero [rows] (zero ⊕ η · total rows).
Proof.
  constructor; [constructor | apply part_all |]. apply Forall_forall. intros z _. rewrite inner_zero. lra.
Qed.

Lemma misclassified_one A (zs : list A) : misclassified [zs] = count zs.
Proof. rewrite misclassified_cons, misclassified_nil. ring. Qed.

(** n copies of one row reach n(R/γ)². *)
Theorem batch_rows_attained η : exists sets w (rows := repeat (e 0) n),
  separates (fun z => In z rows) (e 0) 1 /\ within (fun z => In z rows) 1 /\
  batch η rows zero sets w /\ misclassified sets = count rows * (1 / 1) ^ 2.
Proof.
  exists [repeat (e 0) n], (zero ⊕ η · total (repeat (e 0) n)).
  assert (I : forall z, In z (repeat (e 0) n) -> z = e 0) by (intros z; apply repeat_spec).
  split; [split; [lra | unfold has_margin; rewrite norm_e; split; [lra |]] | split; [split; [lra |] | split; [apply first_epoch |]]].
  - intros z Z. rewrite (I z Z), inner_units. simpl. lra.
  - intros z Z. rewrite (I z Z), norm_e. lra.
  - rewrite misclassified_one. field.
Qed.

(** The unit vectors have σ = 1, and reach (σ/γ)². *)
Lemma part_units zs m : part zs (units m) -> ⟨total zs, total zs⟩ = count zs /\ forall i, (m <= i)%nat -> ⟨e i, total zs⟩ = 0.
Proof.
  revert zs. induction m as [| m IH]; cbn [units]; intros zs P; inversion P as [| z zs' rows Q | z zs' rows Q]; subst.
  - split; [rewrite count_nil; apply inner_zero | intros; apply inner_zero_r].
  - destruct (IH _ Q) as [S Z]. cbn [total fold_right]. fold (total zs'). split.
    + rewrite inner_add, !inner_add_r, (inner_sym _ (total zs') (e m)), (Z m), S, inner_units, Nat.eqb_refl, count_cons by lia. ring.
    + intros i L. rewrite inner_add_r, Z, inner_units by lia. destruct (Nat.eqb_spec i m); [lia | lra].
  - destruct (IH _ Q) as [S Z]. split; [exact S | intros i L; apply Z; lia].
Qed.

Lemma units_set_bound : set_bound (units n) 1.
Proof. intros zs P. rewrite norm_square. destruct (part_units zs n P) as [-> _]. lra. Qed.

Theorem batch_attained η : exists sets w,
  separates (fun z => In z (units n)) u (/ sqrt (INR n)) /\ set_bound (units n) 1 /\
  batch η (units n) zero sets w /\ misclassified sets = (1 / / sqrt (INR n)) ^ 2.
Proof.
  exists [units n], (zero ⊕ η · total (units n)).
  split; [apply units_separated | split; [apply units_set_bound | split; [apply first_epoch |]]].
  rewrite misclassified_one, count_units, <- root_square at 1. pose proof root_positive. f_equal. field. lra.
Qed.

(** ** Inseparable data: γ = c/√n for any c ≥ 1, so that every row lacks (c − 1)/√n *)
Lemma lacks_units c k : 1 <= c -> (k <= n)%nat ->
  sum_lacks _ u (c / sqrt (INR n)) (units k) = INR k * ((c - 1) / sqrt (INR n)) /\
  sum_squared_lacks _ u (c / sqrt (INR n)) (units k) = INR k * ((c - 1) / sqrt (INR n)) ^ 2.
Proof.
  intros C. pose proof root_positive as P. induction k as [| k IH]; intros L; [simpl; lra |].
  destruct IH as [A B]; [lia |]. rewrite S_INR.
  assert (D : lack _ u (c / sqrt (INR n)) (e k) = (c - 1) / sqrt (INR n)).
  { unfold lack, u. rewrite inner_level by lia.
    replace (c / sqrt (INR n) - / sqrt (INR n)) with ((c - 1) / sqrt (INR n)) by (field; lra).
    apply Rmax_right, Rmult_le_pos; [lra |]. left. now apply Rinv_0_lt_compat. }
  cbn [units]. unfold sum_lacks, sum_squared_lacks in *. cbn [fold_right]. rewrite A, B, D. lra.
Qed.

Theorem inseparable_attained η c : 1 <= c -> exists zs w (γ := c / sqrt (INR n)),
  0 < γ /\ ‖u‖ = 1 /\ within (fun z => In z (units n)) 1 /\
  run η (fun z => In z (units n)) zero mistakes zs w /\
  count zs = ((1 + sqrt (sum_squared_lacks _ u γ zs)) / γ) ^ 2 /\
  count zs = ((1 + sqrt (1 ^ 2 + 4 * γ * sum_lacks _ u γ zs)) / (2 * γ)) ^ 2.
Proof.
  intros C. pose proof root_positive as P.
  destruct (units_run η n (le_n n)) as [w H]. exists (units n), w.
  split; [apply Rmult_lt_0_compat; [lra | now apply Rinv_0_lt_compat] |].
  split; [apply norm_u | split; [apply units_within | split; [exact H |]]]. destruct (lacks_units c n C (le_n n)) as [A B]. cbv zeta.
  rewrite A, B, count_units. pose proof root_square as N. clear A B.
  set (q := sqrt (INR n)) in *. clearbody q. rewrite <- N. split.
  - replace (q ^ 2 * ((c - 1) / q) ^ 2) with ((c - 1) ^ 2) by (field; lra).
    rewrite sqrt_pow2 by lra. field. lra.
  - replace (1 ^ 2 + 4 * (c / q) * (q ^ 2 * ((c - 1) / q))) with ((2 * c - 1) ^ 2) by (field; lra).
    rewrite sqrt_pow2 by lra. field. lra.
Qed.
End Direction.

(** ** The other rules, on the one row e₀: their hypotheses can be met *)
Section OneRow.
Definition one : list sequences := [e 0].

Lemma one_separated : separates (data_of one) (e 0) 1.
Proof.
  split; [lra |]. unfold has_margin. rewrite norm_e. split; [lra |]. intros z [<- | []]. rewrite inner_units. simpl. lra.
Qed.

Lemma one_within : within (data_of one) 1.
Proof. split; [lra |]. intros z [<- | []]. rewrite norm_e. lra. Qed.

Lemma score_one a : ⟨(zero : sequences) ⊕ a · e 0, e 0⟩ = a.
Proof. rewrite inner_add, inner_scale, inner_units, inner_zero. simpl. ring. Qed.

Lemma norm_one a : 0 <= a -> ‖((zero : sequences) ⊕ a · e 0)‖ = a.
Proof.
  intros P. unfold norm. rewrite inner_add_r, inner_zero_r, inner_scale_r, score_one.
  replace (0 + a * a) with (a ^ 2) by ring. now apply sqrt_pow2.
Qed.

Lemma one_run θ : 0 <= θ [] zero -> run 1 (data_of one) zero θ [e 0] ((zero : sequences) ⊕ 1 · e 0).
Proof. intros T. constructor; [constructor | now left |]. now rewrite inner_zero. Qed.

Theorem margin_example : exists zs w, separates (data_of one) (e 0) 1 /\ within (data_of one) 1 /\ 0 <= 1 < 2 * 1 /\
  run 1 (data_of one) zero (relative sequences 1) zs w /\ ended (data_of one) (relative sequences 1) zs w /\ count zs = 1.
Proof.
  exists [e 0], (zero ⊕ 1 · e 0). split; [apply one_separated | split; [apply one_within | split; [lra | split; [| split]]]].
  - apply one_run. unfold relative. rewrite norm_zero. lra.
  - intros z [<- | []]. unfold relative. rewrite score_one, norm_one; lra.
  - unfold count. simpl. lra.
Qed.

Theorem threshold_example : exists zs w, separates (data_of one) (e 0) 1 /\ within (data_of one) 1 /\
  run 1 (data_of one) zero (fixed sequences (/ 2)) zs w /\ ended (data_of one) (fixed sequences (/ 2)) zs w /\ count zs = 1.
Proof.
  exists [e 0], (zero ⊕ 1 · e 0). split; [apply one_separated | split; [apply one_within | split; [| split]]].
  - apply one_run. unfold fixed. lra.
  - intros z [<- | []]. unfold fixed. rewrite score_one. lra.
  - unfold count. simpl. lra.
Qed.

Theorem adaptive_example : exists zs w, separates (data_of one) (e 0) 1 /\ within (data_of one) 1 /\
  run 1 (data_of one) zero (adaptive sequences 1) zs w /\ ended (data_of one) (adaptive sequences 1) zs w /\ count zs = 2.
Proof.
  exists [e 0; e 0], (zero ⊕ 1 · e 0 ⊕ 1 · e 0). split; [apply one_separated | split; [apply one_within | split; [| split]]].
  - apply update; [apply one_run; unfold adaptive; simpl; lra | now left |]. rewrite score_one. unfold adaptive. simpl largest.
    rewrite norm_e, Rmax_left; lra.
  - intros z [<- | []]. unfold adaptive. simpl largest. rewrite inner_add, score_one, inner_scale, inner_units, norm_e.
    rewrite !Rmax_left; simpl; try rewrite Rmax_left; lra.
  - unfold count. simpl. lra.
Qed.

(** Two shards with the same row, which each make its mistake. *)
Theorem mix_attained : exists rounds w, separates (data_of one) (e 0) 1 /\ within (data_of one) 1 /\
  mixing 1 (data_of one) zero rounds w /\ Forall (uniform sequences 2) rounds /\ mixed_mistakes rounds = (1 / 1) ^ 2.
Proof.
  set (s := {| share := / 2; wrong := [e 0]; weights := (zero : sequences) ⊕ 1 · e 0 |}).
  exists [[s; s]], (mix [s; s]). split; [apply one_separated | split; [apply one_within | split; [| split]]].
  - apply (mixing_round 1 (data_of one) zero [] [s; s] zero); [constructor |]. assert (R : 0 <= share s /\ run 1 (data_of one) zero mistakes (wrong s) (weights s)).
    { split; [simpl; lra |]. apply one_run. unfold mistakes. lra. }
    split; [apply Forall_cons; [exact R | apply Forall_cons; [exact R | constructor]] | simpl; lra].
  - repeat constructor.
  - unfold mixed_mistakes, mean_mistakes, mean, count. simpl. lra.
Qed.

(** One example of the class 0 of two reaches 2(R/γ)². *)
Theorem multiclass_attained (example := fun (x : sequences) y => x = e 0 /\ y = 0%nat) : exists U ts W,
  multi_separates sequences 2 example U (sqrt 2) /\ multi_within sequences example 1 /\
  multi_run sequences 2 1 example zero (multi_mistakes sequences 2) ts W /\ count ts = 2 * (1 / sqrt 2) ^ 2.
Proof.
  assert (Q : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (T : sqrt 2 ^ 2 = 2) by (apply pow2_sqrt; lra).
  exists (kesler (e 0) 0 1), [Build_triple sequences (e 0) 0 1], ((zero : stack sequences 2) ⊕ 1 · kesler (e 0) 0 1).
  split; [split; [exact Q | split] | split; [split; [lra |] | split]].
  - rewrite norm_kesler, norm_e by lia. lra.
  - intros x y r [-> ->] L D. assert (r = 1)%nat as -> by lia.
    rewrite <- (inner_kesler sequences 2 (kesler (e 0) 0 1) (e 0) 0 1), <- norm_square, norm_kesler, norm_e by lia. lra.
  - intros x y [-> _]. rewrite norm_e. lra.
  - constructor; [constructor | easy | lia | lia |]. unfold multi_mistakes.
    change ((zero : stack sequences 2) 0%nat) with (zero : sequences). change ((zero : stack sequences 2) 1%nat) with (zero : sequences). lra.
  - unfold count. simpl length. replace (2 * (1 / sqrt 2) ^ 2) with (2 / sqrt 2 ^ 2) by (field; lra). rewrite T. simpl. lra.
Qed.

(** ** Hypotheses of theorems about cycles, certificates and rounding can be met *)
Definition opposite : list sequences := [[1]; [-1]].

(** The weights 0 return after each pass. *)
Theorem cycled_example : cycled sequences 1 opposite [0] 0 (zero_rule sequences).
Proof.
  exists 0%nat, 1%nat. split; [lia |]. unfold trained, fixed_order, opposite, zero_rule. simpl. split.
  - unfold visit at 2. simpl. destruct (Rle_dec _ _) as [_ | N]; [| lra]. unfold visit. simpl. destruct (Rle_dec _ _) as [_ | N]; [| lra].
    simpl. f_equal. lra.
  - intros A. specialize (A [1] (or_introl eq_refl)). unfold accepts in A. simpl in A. lra.
Qed.

(** Under γ′ the weights need not stay bounded: θ grows with ‖w‖. Here γ′ = 2, and no
    hyperplane separates the rows. *)
Definition growing : list sequences := [[1]; [1]; [-1]].

Theorem margin_never_ends : inseparable sequences growing /\
  forall n, fst (trained sequences 1 [0] 0 (relative_rule sequences 2) (fixed_order sequences growing) n) = [INR n].
Proof.
  split.
  - intros w M. pose proof (M [1] (or_introl eq_refl)) as A. pose proof (M [-1] (or_intror (or_intror (or_introl eq_refl)))) as B.
    destruct w as [| a w]; simpl in A, B; [lra |]. destruct w; simpl in A, B; lra.
  - assert (N : forall a, 0 <= a -> ‖([a] : sequences)‖ = a).
    { intros a P. unfold norm. simpl. rewrite Rplus_0_r. now apply sqrt_square. }
    assert (V : forall s a z, fst s = [a] -> 0 <= a -> z = 1 \/ z = -1 ->
      fst (visit sequences 1 (relative_rule sequences 2) s [z]) = [a + z]).
    { intros [w q] a z W P Z. cbn [fst] in W. subst w. unfold visit, relative_rule. cbn [fst snd]. rewrite N by exact P. simpl.
      destruct (Rle_dec _ _) as [_ | X]; [simpl; f_equal; lra | destruct Z; subst z; lra]. }
    induction n as [| n IH]; [easy |]. unfold trained in *. cbn [passes fixed_order growing fold_left]. pose proof (pos_INR n) as P.
    rewrite S_INR. transitivity ([INR n + 1 + 1 + -1] : sequences); [| f_equal; lra].
    apply V; [apply V; [apply V; [exact IH | |] | |] | |]; (lra || now left || now right).
Qed.

Theorem verified_example : exists s, verified sequences one s /\ separable sequences s.
Proof.
  exists {| separable := True; hyperplane := e 0; lower := 1; upper := 1; radius := 1; multiplier := [1] |}. split; [| easy].
  destruct one_separated as [_ M]. destruct one_within as [_ L]. split; [exact L | split; [exact M | split; [| simpl; split; [lra | easy]]]].
  split; [split; [easy | split; [repeat constructor; lra | unfold sum; simpl; lra]] |].
  unfold sum. cbn [multiplier upper one weighted fold_right]. apply norm_at_most; [lra |].
  rewrite inner_add_r, inner_zero_r, inner_scale_r, inner_sym, inner_add_r, inner_zero_r, inner_scale_r, inner_units. simpl. lra.
Qed.

(** A score that is computed too low, and an update that is computed too large. *)
Theorem rounded_example : exists zs w, rounded_run 1 1 (/ 8) (data_of one) (zero : sequences) zs w /\
  separates (data_of one) (e 0) 1 /\ within (data_of one) 1 /\ 2 * / 8 < 1 * 1 /\ count zs = 1.
Proof.
  exists [e 0], [9 / 8]. split; [| split; [apply one_separated | split; [apply one_within | split; [lra | unfold count; simpl; lra]]]].
  apply (rounded_update 1 1 (/ 8) _ _ [] zero (e 0) (- / 2)); [constructor | now left | | lra |].
  - rewrite inner_zero, Rminus_0_r, Rabs_left; lra.
  - apply norm_at_most; [lra |]. simpl. lra.
Qed.
End OneRow.
