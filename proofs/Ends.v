(** Every run ends. In exact arithmetic, with rational rows, start and rate and a fixed order,
    a run converges or returns to a state: the weights are bounded, so they have finitely many
    values. This holds if the threshold is bounded: for Rosenblatt's rule, a fixed θ, ηR_t²,
    batch gradient descent, and the same rules for several classes. *)

From Perceptron Require Import Space Online Threshold Batch Bounded ClassConvergence Multiclass.
Require Import Lra Psatz Lia.

(** ** Finitely many values *)
Fixpoint firsts {A} (f : nat -> A) (n : nat) : list A := match n with O => [] | S n => f n :: firsts f n end.

Lemma in_firsts A (f : nat -> A) n a : In a (firsts f n) -> exists m, (m < n)%nat /\ f m = a.
Proof.
  induction n as [| n IH]; [easy |]. intros [<- | I]; [exists n; split; [lia | easy] |].
  destruct (IH I) as (m & L & Q). exists m. split; [lia | exact Q].
Qed.

Lemma returns A (same : forall a b : A, {a = b} + {a <> b}) (f : nat -> A) l : (forall n, In (f n) l) ->
  exists m n, (m < n)%nat /\ f m = f n.
Proof.
  intros I. assert (T : forall n, (exists m n, (m < n)%nat /\ f m = f n) \/ NoDup (firsts f n)).
  { induction n as [| n [R | N]]; [right; constructor | now left |].
    destruct (in_dec same (f n) (firsts f n)) as [J | J]; [left | right; now constructor].
    destruct (in_firsts A f n _ J) as (m & L & Q). now exists m, n. }
  destruct (T (S (length l))) as [R | N]; [exact R | exfalso].
  apply (NoDup_incl_length (l' := l)) in N.
  - assert (Q : forall n, length (firsts f n) = n) by (induction n; simpl; congruence). rewrite Q in N. lia.
  - intros a J. destruct (in_firsts A f _ a J) as (m & _ & <-). apply I.
Qed.

(** Numbers k/D, and sequences of them. *)
Definition on_grid (D : R) (v : list R) := Forall (fun a => exists k : Z, a = IZR k / D) v.
Definition levels (D : R) (n : nat) := map (fun i => IZR (Z.of_nat i - Z.of_nat n) / D) (seq 0 (2 * n + 1)).
Fixpoint grid (D : R) (n d : nat) : list (list R) := match d with
  | O => [[]]
  | S d => [] :: flat_map (fun v => map (fun a => a :: v) (levels D n)) (grid D n d)
  end.

Lemma in_levels D n k : (Z.abs k <= Z.of_nat n)%Z -> In (IZR k / D) (levels D n).
Proof.
  intros L. apply in_map_iff. exists (Z.to_nat (k + Z.of_nat n)). split; [f_equal; f_equal; lia |]. apply in_seq. lia.
Qed.

Lemma in_grid D n d v : 0 < D -> on_grid D v -> (length v <= d)%nat -> seq_inner v v <= (INR n / D) ^ 2 -> In v (grid D n d).
Proof.
  intros P. revert v. induction d as [| d IH]; intros [| a v] G L B; [now left | simpl in L; lia | now left |].
  inversion_clear G as [| ? ? (k & ->) G']. simpl in B. pose proof (seq_nonneg v) as N. right. apply in_flat_map. exists v. split.
  - apply IH; [exact G' | simpl in L; lia | nra].
  - apply (in_map (fun a => a :: v)), in_levels. assert (C : (IZR k / D) ^ 2 <= (INR n / D) ^ 2) by nra.
    unfold Rdiv in C. rewrite !Rpow_mult_distr in C. assert (I : 0 < (/ D) ^ 2) by (apply pow_lt; now apply Rinv_0_lt_compat).
    apply Rmult_le_reg_r in C; [| exact I].
    rewrite INR_IZR_INZ in C. simpl in C. rewrite !Rmult_1_r, <- !mult_IZR in C. apply le_IZR in C. nia.
Qed.

Lemma grid_add D u v : on_grid D u -> on_grid D v -> 0 < D -> on_grid D (seq_add u v).
Proof.
  intros A B P. revert v B. induction A as [| a u (k & ->) A IH]; intros v B; [exact B |].
  inversion_clear B as [| b v' (j & ->) B']; [constructor; [now exists k | exact A] |]. constructor; [| now apply IH].
  exists (k + j)%Z. rewrite plus_IZR. field. lra.
Qed.

Lemma add_length u v : length (seq_add u v) = Nat.max (length u) (length v).
Proof. revert v. induction u as [| a u IH]; intros [| b v]; simpl; [easy | easy | easy |]. now rewrite IH. Qed.

(** ** Rational numbers have a common denominator *)
Definition rational (a : R) := exists p q : Z, (0 < q)%Z /\ a = IZR p / IZR q.

Lemma rational_times a b : rational a -> rational b -> rational (a * b).
Proof.
  intros (p & q & Q & ->) (p' & q' & Q' & ->). exists (p * p')%Z, (q * q')%Z. split; [lia |].
  rewrite !mult_IZR. apply IZR_lt in Q, Q'. field. lra.
Qed.

Lemma common_denominator l : Forall rational l -> exists D, (0 < D)%Z /\ on_grid (IZR D) l.
Proof.
  induction 1 as [| a l (p & q & Q & ->) _ (D & P & G)]; [exists 1%Z; split; [lia | constructor] |].
  exists (D * q)%Z. split; [lia |]. apply IZR_lt in P as P', Q as Q'. constructor.
  - exists (p * D)%Z. rewrite !mult_IZR. field. lra.
  - eapply Forall_impl; [| exact G]. intros b (k & ->). exists (k * q)%Z. rewrite !mult_IZR. field. lra.
Qed.

Lemma common_grid (ls : list (list R)) : Forall (Forall rational) ls -> exists D, (0 < D)%Z /\ Forall (on_grid (IZR D)) ls.
Proof.
  intros F. destruct (common_denominator (concat ls)) as (D & P & G); [now apply Forall_concat |].
  exists D. split; [exact P |]. now apply Forall_concat.
Qed.

Lemma above x : exists n, x <= INR n.
Proof.
  destruct (natural_part (Rmax 0 x) (Rmax_l 0 x)) as (n & _ & N). exists (S n). pose proof (Rmax_r 0 x). lra.
Qed.

Lemma longest (ls : list (list R)) : exists d, Forall (fun v => (length v <= d)%nat) ls.
Proof.
  induction ls as [| v ls (d & F)]; [now exists 0%nat |]. exists (Nat.max (length v) d). constructor; [lia |].
  eapply Forall_impl; [| exact F]. simpl. lia.
Qed.

Definition same_sequence : forall u v : list R, {u = v} + {u <> v} := list_eq_dec Req_EM_T.

Lemma same_state : forall a b : list R * R, {a = b} + {a <> b}.
Proof. decide equality; [apply Req_EM_T | apply same_sequence]. Qed.

Lemma same_tuples : forall a b : list (list R) * R, {a = b} + {a <> b}.
Proof. decide equality; [apply Req_EM_T | apply (list_eq_dec same_sequence)]. Qed.

Lemma rational_plus a b : rational a -> rational b -> rational (a + b).
Proof.
  intros (p & q & Q & ->) (p' & q' & Q' & ->). exists (p * q' + p' * q)%Z, (q * q')%Z. split; [lia |].
  rewrite plus_IZR, !mult_IZR. apply IZR_lt in Q, Q'. field. lra.
Qed.

Lemma rational_add u v : Forall rational u -> Forall rational v -> Forall rational (seq_add u v).
Proof.
  intros A. revert v. induction A as [| a u R A IH]; intros v B; [exact B |]. inversion B; subst; simpl; [now constructor |].
  constructor; [now apply rational_plus | now apply IH].
Qed.

Lemma rational_scale c v : rational c -> Forall rational v -> Forall rational (map (Rmult c) v).
Proof. intros C F. apply Forall_map. eapply Forall_impl; [| exact F]. intros a A. now apply rational_times. Qed.

(** Weights that move along finitely many vectors, all rational, and stay bounded have
    finitely many values. *)
Section Finite.
Variables (starts steps : list sequences).
Hypothesis all_rational : Forall (Forall rational) (starts ++ steps).

Inductive moved : sequences -> Prop :=
| moved_start w : In w starts -> moved w
| moved_step w z : moved w -> In z steps -> moved (w ⊕ z).

Lemma finitely_many B : exists l, forall w, moved w -> ⟨w, w⟩ <= B -> In w l.
Proof.
  destruct (common_grid _ all_rational) as (D & P & G). destruct (longest (starts ++ steps)) as (d & L).
  apply IZR_lt in P as P'. destruct (above ((1 + B) * IZR D)) as (n & N). exists (grid (IZR D) n d).
  rewrite Forall_forall in G, L. intros w M S.
  assert (W : on_grid (IZR D) w /\ (length w <= d)%nat).
  { clear S. induction M as [w I | w z M [A C] I]; [split; [apply G | apply L]; apply in_or_app; now left |].
    assert (J : In z (starts ++ steps)) by (apply in_or_app; now right).
    simpl. split; [apply grid_add; auto |]. rewrite add_length. specialize (L z J). lia. }
  destruct W as [W1 W2]. apply in_grid; [exact P' | exact W1 | exact W2 |].
  pose proof (inner_nonneg _ w) as Q. change (seq_inner w w) with ⟨w, w⟩.
  assert (1 + B <= INR n / IZR D).
  { apply (Rmult_le_reg_r (IZR D)); [exact P' |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  nra.
Qed.
End Finite.

(** ** One hyperplane *)
Section Plane.
Variables (η : R) (rows : list sequences) (start : sequences) (q0 : R).
Hypothesis η_positive : 0 < η.
Hypothesis q0_nonneg : 0 <= q0.
Hypothesis rational_rate : rational η.
Hypothesis rational_start : Forall rational start.
Hypothesis rational_rows : Forall (Forall rational) rows.

Lemma run_moved zs0 θ zs w : run η (data_of zs0) start θ zs w -> moved [start] (map (map (Rmult η)) zs0) w.
Proof. induction 1 as [| zs w z _ IH I _]; [constructor; now left |]. constructor; [exact IH |]. apply (in_map (map (Rmult η))), I. Qed.

Lemma steps_rational zs : Forall (Forall rational) zs -> Forall (Forall rational) ([start] ++ map (map (Rmult η)) zs).
Proof.
  intros F. constructor; [exact rational_start |]. apply Forall_map. eapply Forall_impl; [| exact F]. intros z. now apply rational_scale.
Qed.

Notation state_after θ n := (trained sequences η start q0 θ (fixed_order sequences rows) n).
Notation accepted θ s := (all_accepted sequences rows θ s).

(** The run ends with every row accepted, or its state returns: [cycled], and R_t too. *)
Definition ends θ := (exists m, accepted θ (state_after θ m)) \/
  exists m n, (m < n)%nat /\ state_after θ m = state_after θ n /\ ~ accepted θ (state_after θ (n - 1)).

Lemma bounded_ends θ : (forall q, exists b, 0 <= b /\ forall w p, 0 <= p <= q -> θ w p <= b) -> ends θ.
Proof.
  intros T. set (s := fun n => state_after θ n). destruct (within_some sequences rows) as (r & R0 & L).
  set (q := Rmax q0 r). assert (Q : 0 <= q) by (apply (Rle_trans _ q0); [exact q0_nonneg | apply Rmax_l]).
  assert (within (data_of rows) q) as W. { split; [exact Q |]. intros z I. apply (Rle_trans _ r); [auto | apply Rmax_r]. }
  destruct (T q) as (b & B0 & Tb). destruct (weights_bounded sequences η q b rows η_positive W B0) as (M & _ & B).
  destruct (finitely_many [start] (map (map (Rmult η)) rows) (steps_rational _ rational_rows) (‖start‖ ^ 2 + M)) as (l & F).
  assert (Rt : forall zs, Forall (data_of rows) zs -> In (largest_so_far sequences q0 zs) (q0 :: map norm rows)).
  { induction 1 as [| z zs I _ IH]; [left; symmetry; now apply largest_from_none |].
    unfold largest_so_far in *. cbn [largest]. rewrite Rmax_assoc, (Rmax_comm q0), <- Rmax_assoc.
    unfold Rmax at 1. destruct (Rle_dec _ _); [exact IH | right; now apply in_map]. }
  assert (V : forall n, In (s n) (list_prod l (q0 :: map norm rows))).
  { intros n. destruct (trained_run sequences η rows start q0 θ q0_nonneg (fixed_order sequences rows) n) as (zs & H & R).
    { intros k z. unfold fixed_order. tauto. }
    fold (s n) in H, R. destruct (s n) as [w p]. cbn [fst snd] in *. apply in_prod.
    - apply F; [now apply run_moved in H |]. rewrite <- norm_square. refine (B _ _ _ _ _ H). intros us v D. apply Tb.
      split; [apply (Rle_trans _ q0); [exact q0_nonneg | apply Rmax_l] |]. apply Rmax_lub; [apply Rmax_l |].
      now apply (largest_within _ (data_of rows)).
    - rewrite R. apply Rt. now apply run_data in H. }
  destruct (returns _ same_state s _ V) as (m & n & N & X).
  destruct (Forall_dec (accepts sequences θ (s (n - 1)%nat)) (fun z => Rlt_dec _ _) rows) as [Y | Y]; rewrite Forall_forall in Y.
  - left. now exists (n - 1)%nat.
  - right. now exists m, n.
Qed.

Theorem online_ends : ends (zero_rule sequences).
Proof. apply bounded_ends. intros q. exists 0. split; [lra |]. intros. apply Rle_refl. Qed.

Theorem threshold_ends θ : 0 <= θ -> ends (fixed_rule sequences θ).
Proof. intros P. apply bounded_ends. intros q. exists θ. split; [lra |]. intros. apply Rle_refl. Qed.

Theorem adaptive_ends : ends (adaptive_rule sequences η).
Proof.
  apply bounded_ends. intros q. exists (η * q ^ 2). pose proof (pow2_ge_0 q). split; [nra |].
  intros w p P. unfold adaptive_rule. apply Rmult_le_compat_l; [lra |]. apply pow_incr. lra.
Qed.

(** ** Batch gradient descent: Rosenblatt's rule on the sums of rows *)
Fixpoint parts (l : list sequences) : list (list sequences) := match l with
  | [] => [[]]
  | z :: l => parts l ++ map (fun zs => z :: zs) (parts l)
  end.

Lemma in_parts zs l : part zs l -> In zs (parts l).
Proof.
  induction 1; simpl; [now left | apply in_or_app; right; now apply (in_map (fun zs => z :: zs)) | apply in_or_app; now left].
Qed.

Lemma parts_part zs l : In zs (parts l) -> part zs l.
Proof.
  revert zs. induction l as [| z l IH]; simpl; intros zs I; [destruct I as [<- | []]; constructor |].
  apply in_app_or in I as [I | I]; [constructor; auto |]. apply in_map_iff in I as (us & <- & I). constructor; auto.
Qed.

Notation sums := (map total (parts rows)).

Lemma sums_rational : Forall (Forall rational) sums.
Proof.
  apply Forall_map, Forall_forall. intros zs I. apply parts_part in I. clear -I rational_rows.
  induction I as [| z zs l I IH | z zs l I IH]; [constructor | inversion_clear rational_rows; apply rational_add; auto | inversion_clear rational_rows; auto].
Qed.

Lemma descended_run n : exists zs, run η (data_of sums) start mistakes zs (descended sequences η rows start n).
Proof.
  induction n as [| n (zs & H)]; [exists []; constructor |]. set (w := descended sequences η rows start n) in *.
  change (descended sequences η rows start (S n)) with (epoch sequences η rows w tt). unfold epoch.
  pose proof (filter_part _ (fun z => if Rle_dec ⟨w, z⟩ 0 then true else false) rows) as P. fold (wrong_rows sequences rows w) in P.
  assert (T : Forall (fun z => ⟨w, z⟩ <= 0) (wrong_rows sequences rows w)).
  { apply Forall_forall. intros z I. apply filter_In in I as [_ I]. now destruct (Rle_dec _ _). }
  destruct (wrong_rows sequences rows w) as [| z us]; [now exists zs |]. exists (total (z :: us) :: zs).
  constructor; [exact H | apply in_map, in_parts, P | now apply total_at_most].
Qed.

Theorem batch_ends : (exists m, batch_right sequences rows (descended sequences η rows start m)) \/
  exists m n, (m < n)%nat /\ descended sequences η rows start m = descended sequences η rows start n /\
    ~ batch_right sequences rows (descended sequences η rows start (n - 1)).
Proof.
  destruct (within_some sequences sums) as (r & W). destruct (weights_bounded sequences η r 0 sums η_positive W (Rle_refl 0)) as (M & _ & B).
  destruct (finitely_many [start] (map (map (Rmult η)) sums) (steps_rational _ sums_rational) (‖start‖ ^ 2 + M)) as (l & F).
  assert (V : forall n, In (descended sequences η rows start n) l).
  { intros n. destruct (descended_run n) as (zs & H). apply F; [now apply run_moved in H |].
    rewrite <- norm_square. refine (B _ _ _ _ _ H). intros. apply Rle_refl. }
  destruct (returns _ same_sequence (descended sequences η rows start) _ V) as (m & n & N & X).
  set (w := descended sequences η rows start (n - 1)).
  destruct (Forall_dec (fun z => 0 < ⟨w, z⟩) (fun z => Rlt_dec _ _) rows) as [Y | Y]; rewrite Forall_forall in Y; [left; now exists (n - 1)%nat | right; now exists m, n].
Qed.
End Plane.

(** ** Several classes *)
Section Classes.
Variables (K : nat) (η : R) (examples : list (sequences * nat)) (start : stack sequences K) (q0 : R).
Hypothesis η_positive : 0 < η.
Hypothesis q0_nonneg : 0 <= q0.
Hypothesis classes : forall x y, In (x, y) examples -> (y < K)%nat.
Hypothesis rational_rate : rational η.
Hypothesis rational_start : forall c, (c < K)%nat -> Forall rational (start c).
Hypothesis rational_examples : Forall (fun e => Forall rational (fst e)) examples.
Notation E := sequences.
Notation W_ := (stack E K).

(** The rows of Kesler's construction, and what an update adds to a class. *)
Definition kesler_rows : list W_ :=
  flat_map (fun e => map (fun r => kesler (fst e) (snd e) r) (filter (fun r => negb (Nat.eqb r (snd e))) (seq 0 K))) examples.
Definition class_steps : list E := map (map (Rmult η)) ([] :: map fst examples ++ map (fun e => map (Rmult (-1)) (fst e)) examples).

Lemma in_kesler_rows z : rows E K (example E examples) z -> In z kesler_rows.
Proof.
  intros (x & y & r & I & L & D & ->). apply in_flat_map. exists (x, y). split; [exact I |]. apply (in_map (fun r => kesler x y r)).
  apply filter_In. split; [apply in_seq; lia |]. simpl. now destruct (Nat.eqb_spec r y).
Qed.

Lemma multi_moved θ ts W c : (c < K)%nat -> multi_run E K η (example E examples) start θ ts W -> moved (map start (seq 0 K)) class_steps (W c).
Proof.
  intros L. induction 1 as [| ts W x y r _ IH X C D _]; [constructor; apply in_map, in_seq; lia |].
  change ((W ⊕ η · kesler x y r) c) with (W c ⊕ η · (@kesler E K x y r c)). constructor; [exact IH |]. apply (in_map (map (Rmult η))).
  unfold kesler. destruct (Nat.eqb c y); [right; apply in_or_app; left; now apply (in_map fst _ (x, y)) |].
  destruct (Nat.eqb c r); [right; apply in_or_app; right; now apply (in_map (fun e => map (Rmult (-1)) (fst e)) _ (x, y)) | now left].
Qed.

Lemma class_rational : Forall (Forall rational) (map start (seq 0 K) ++ class_steps).
Proof.
  apply Forall_app. split; [apply Forall_map, Forall_forall; intros c I; apply in_seq in I; apply rational_start; lia |].
  assert (M : rational (-1)) by (exists (-1)%Z, 1%Z; split; [lia | lra]).
  apply Forall_map. eapply Forall_impl; [intros v; now apply rational_scale |]. constructor; [constructor |].
  apply Forall_app. split; apply Forall_map; [exact rational_examples |]. eapply Forall_impl; [| exact rational_examples].
  intros e F. now apply rational_scale.
Qed.

Lemma class_length (W : W_) c : (c < K)%nat -> ⟨W c, W c⟩ <= ⟨W, W⟩.
Proof.
  assert (G : forall f n, (forall c, 0 <= f c) -> (c < n)%nat -> f c <= sum_to n f).
  { intros f n P. induction n as [| n IH]; intros L; [lia |]. simpl. pose proof (P n). pose proof (sum_to_nonneg n f P).
    destruct (Nat.eq_dec c n) as [-> |]; [lra | specialize (IH ltac:(lia)); lra]. }
  apply (G (fun c => ⟨W c, W c⟩)). intros. apply inner_nonneg.
Qed.

(** All lists of k of the values. *)
Fixpoint tuples (l : list E) (k : nat) : list (list E) := match k with
  | O => [[]]
  | S k => flat_map (fun t => map (fun a => a :: t) l) (tuples l k)
  end.

Lemma in_tuples l (W : nat -> E) i k : (forall c, (i <= c < i + k)%nat -> In (W c) l) -> In (map W (seq i k)) (tuples l k).
Proof.
  revert i. induction k as [| k IH]; intros i I; [now left |]. simpl. apply in_flat_map. exists (map W (seq (S i) k)).
  split; [apply IH; intros c L; apply I; lia |]. apply (in_map (fun a => a :: _)), I. lia.
Qed.

Lemma same_tuple (W V : nat -> E) k : map W (seq 0 k) = map V (seq 0 k) -> forall c, (c < k)%nat -> W c = V c.
Proof.
  intros Q c L. apply (f_equal (fun l => nth c l (W 0%nat))) in Q. rewrite map_nth, seq_nth in Q by exact L. simpl in Q.
  rewrite Q, (nth_indep _ _ (V 0%nat)) by (now rewrite map_length, seq_length). rewrite map_nth, seq_nth by exact L. reflexivity.
Qed.

Notation state_after θ n := (multi_trained E K η start q0 θ (multi_order E examples) n).
Notation accepted θ s := (all_settled (E * nat) (multi_model E K) (multi_accepts E K θ) (fun e => In e examples) s).

Definition multi_ends θ := (exists m, accepted θ (state_after θ m)) \/
  exists m n, (m < n)%nat /\ agree E K (fst (state_after θ m)) (fst (state_after θ n)) /\ snd (state_after θ m) = snd (state_after θ n) /\
    ~ accepted θ (state_after θ (n - 1)).

Lemma accepts_dec θ s e : {multi_accepts E K θ s e} + {~ multi_accepts E K θ s e}.
Proof.
  unfold multi_accepts. destruct (Forall_dec (fun r => r <> snd e -> θ (fst s) (snd s) < ⟨fst s (snd e), fst e⟩ - ⟨fst s r, fst e⟩)) with (l := seq 0 K) as [Y | Y].
  - intros r. destruct (Nat.eq_dec r (snd e)); [now left |]. destruct (Rlt_dec (θ (fst s) (snd s)) (⟨fst s (snd e), fst e⟩ - ⟨fst s r, fst e⟩)); [now left | right; auto].
  - left. rewrite Forall_forall in Y. intros r L. apply Y, in_seq. lia.
  - right. intros A. apply Y, Forall_forall. intros r I. apply in_seq in I. apply A. lia.
Qed.

Lemma multi_bounded_ends θ : (forall q, exists b, 0 <= b /\ forall W p, 0 <= p <= q -> θ W p <= b) -> multi_ends θ.
Proof.
  intros T. set (s := fun n => state_after θ n). destruct (within_some E (map fst examples)) as (r & R0 & L).
  set (q := Rmax q0 r). assert (Q : 0 <= q) by (apply (Rle_trans _ q0); [exact q0_nonneg | apply Rmax_l]).
  destruct (T q) as (b & B0 & Tb). destruct (within_some W_ kesler_rows) as (k & Wk).
  destruct (weights_bounded W_ η k b kesler_rows η_positive Wk B0) as (M & _ & B).
  destruct (finitely_many (map start (seq 0 K)) class_steps class_rational (‖start‖ ^ 2 + M)) as (l & F).
  assert (Rl : forall ts, Forall (fun t => example E examples (row E t) (class E t)) ts -> In (multi_largest E q0 ts) (q0 :: map (fun e => norm (fst e)) examples) /\ multi_largest E q0 ts <= q).
  { induction 1 as [| t ts I _ [IH IL]]; unfold multi_largest in *; cbn [map largest].
    - rewrite Rmax_left by exact q0_nonneg. split; [now left | apply Rmax_l].
    - rewrite Rmax_assoc, (Rmax_comm q0), <- Rmax_assoc. split.
      + unfold Rmax at 1. destruct (Rle_dec _ _); [exact IH | right]. now apply (in_map (fun e => norm (fst e)) _ (row E t, class E t)).
      + apply Rmax_lub; [| exact IL]. apply (Rle_trans _ r); [| apply Rmax_r]. apply L. now apply (in_map fst _ (row E t, class E t)). }
  assert (V : forall n, In (map (fst (s n)) (seq 0 K), snd (s n)) (list_prod (tuples l K) (q0 :: map (fun e => norm (fst e)) examples))).
  { intros n. assert (exists k, multi_reached E K η examples start q0 θ (s n) k) as (j & ts & H & R & _).
    { unfold s, multi_trained. induction n as [| n (j & H)]; [exists 0%nat; now apply multi_begins |]. cbn [passes].
      destruct (visits _ _ _ _ _ _ (multi_stays E K η θ) (multi_moves E K η examples start q0 θ) (multi_order E examples n) _ j (fun i I => I) H) as (i & H' & _).
      eauto. }
    pose proof (multi_run_examples _ _ _ _ _ _ _ _ H) as X. destruct (Rl ts X) as [R1 R2]. apply in_prod; [| now rewrite R].
    apply in_tuples. intros c C. apply F; [apply (multi_moved _ _ _ _ (proj2 C) H) |].
    apply (Rle_trans _ _ _ (class_length (fst (s n)) c (proj2 C))). rewrite <- norm_square.
    refine (B start (fun _ _ => b) _ _ (fun _ _ _ => Rle_refl b) _). refine (_ : run _ _ _ _ (map (stacked E K) ts) _).
    assert (G : run η (Multiclass.rows E K (example E examples)) start (fun _ _ => b) (map (stacked E K) ts) (fst (s n))).
    { refine (rows_run E K η (example E examples) classes start _ _ ts _ _ H). intros us V C1 C2. apply Tb.
      split; [apply (Rle_trans _ q0); [exact q0_nonneg | apply Rmax_l] | now apply Rl]. }
    clear -G. induction G; constructor; auto. now apply in_kesler_rows. }
  destruct (returns _ same_tuples (fun n => (map (fst (s n)) (seq 0 K), snd (s n))) _ V) as (m & n & N & X).
  injection X as X1 X2.
  destruct (Forall_dec _ (accepts_dec θ (s (n - 1)%nat)) examples) as [Y | Y]; rewrite Forall_forall in Y.
  - left. now exists (n - 1)%nat.
  - right. exists m, n. split; [exact N | split; [| now split]]. intros c C. now apply (same_tuple _ _ K X1).
Qed.

Theorem multiclass_ends : multi_ends (multi_zero_rule E K).
Proof. apply multi_bounded_ends. intros q. exists 0. split; [lra |]. intros. apply Rle_refl. Qed.

Theorem multiclass_threshold_ends θ : 0 <= θ -> multi_ends (multi_fixed_rule E K θ).
Proof. intros P. apply multi_bounded_ends. intros q. exists θ. split; [lra |]. intros. apply Rle_refl. Qed.

Theorem multiclass_adaptive_ends : multi_ends (multi_adaptive_rule E K η).
Proof.
  apply multi_bounded_ends. intros q. exists (2 * η * q ^ 2). pose proof (pow2_ge_0 q). split; [nra |].
  intros W p P. unfold multi_adaptive_rule. apply Rmult_le_compat_l; [lra |]. apply pow_incr. lra.
Qed.
End Classes.
