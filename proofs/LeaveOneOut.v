(** A row that the training never updated on can be left out: the run stays the same, to the
    letter. So it is right on that row, which it then has not seen. All but at most (R/γ)² rows
    are right when left out (Vapnik & Chervonenkis 1974), and the rows updated on are enough
    (Littlestone & Warmuth 1986): trained on them alone, the run ends at the same weights. *)

From Perceptron Require Import Space Online Passes.
Require Import Lra Lia Arith.

(** ** Any rule that leaves the state alone where an item is settled *)
Section Kept.
Variables (item state : Type) (visit : state -> item -> state) (settled : state -> item -> Prop) (start : state).
Hypothesis settled_stays : forall s i, settled s i -> visit s i = s.
Hypothesis settled_dec : forall s i, {settled s i} + {~ settled s i}.
Notation passes := (passes item state visit start).

(** The items that a pass, or the first n passes, moved on. *)
Fixpoint moved (s : state) (l : list item) : list item := match l with
  | [] => []
  | i :: l => if settled_dec s i then moved s l else i :: moved (visit s i) l
  end.
Fixpoint all_moved (order : nat -> list item) (n : nat) : list item := match n with
  | O => []
  | S n => moved (passes order n) (order n) ++ all_moved order n
  end.

Lemma moved_kept keep l s : (forall i, In i (moved s l) -> keep i = true) ->
  fold_left visit (filter keep l) s = fold_left visit l s.
Proof.
  revert s. induction l as [| i l IH]; intros s K; [easy |]. cbn [moved filter fold_left] in *.
  destruct (settled_dec s i) as [A | A].
  - rewrite (settled_stays s i A), <- IH by exact K. destruct (keep i); [| easy]. cbn [fold_left]. now rewrite settled_stays.
  - rewrite (K i (or_introl eq_refl)). cbn [fold_left]. apply IH. intros j J. apply K. now right.
Qed.

Theorem same_run keep order n : (forall i, In i (all_moved order n) -> keep i = true) ->
  passes (fun m => filter keep (order m)) n = passes order n.
Proof.
  induction n as [| n IH]; intros K; [easy |]. cbn [Passes.passes all_moved] in *.
  rewrite IH by (intros i I; apply K, in_or_app; now right).
  apply moved_kept. intros i I. apply K, in_or_app. now left.
Qed.

Lemma moved_in s l i : In i (moved s l) -> In i l.
Proof.
  revert s. induction l as [| j l IH]; intros s; [easy |]. cbn [moved].
  destruct (settled_dec s j); [intros I; right; now apply (IH s) | intros [-> | I]; [now left | right; now apply (IH (visit s j))]].
Qed.
End Kept.

(** ** Rosenblatt's rule, with the rows in their order *)
Section Left.
Variables (E : space) (η : R) (rows : list E).
Hypothesis η_positive : 0 < η.
Notation data := (data_of rows).

Definition row (i : nat) : E := nth i rows zero.
Definition step (w : E) (i : nat) : E := if Rle_dec ⟨w, row i⟩ 0 then w ⊕ η · row i else w.
Definition fits (w : E) (i : nat) := 0 < ⟨w, row i⟩.
Definition numbers := seq 0 (length rows).

(** Training on the rows that keep selects, in their order, after n passes. *)
Definition trained_on (keep : nat -> bool) (n : nat) : E := passes nat E step zero (fun _ => filter keep numbers) n.
Definition ends_at keep w := exists m, forall n, (m <= n)%nat -> trained_on keep n = w.
Definition all (i : nat) := true.
Definition without (i j : nat) := negb (Nat.eqb i j).

(** The numbers stand for the rows, in their order. Without i: for all rows but row i. *)
Lemma numbered : map row numbers = rows.
Proof.
  apply (nth_ext _ _ zero zero); unfold numbers; rewrite map_length, seq_length; [easy |]. intros n L.
  rewrite (nth_indep _ zero (row 0)), map_nth, seq_nth by (try rewrite map_length, seq_length; exact L). reflexivity.
Qed.
Lemma without_one i j : In j (filter (without i) numbers) <-> In j numbers /\ j <> i.
Proof. rewrite filter_In. unfold without. destruct (Nat.eqb_spec i j) as [-> |]; cbn; intuition congruence. Qed.

Lemma fits_dec w i : {fits w i} + {~ fits w i}.
Proof. apply Rlt_dec. Qed.

Lemma fits_stays w i : fits w i -> step w i = w.
Proof. unfold fits, step. intros A. destruct (Rle_dec _ _); [lra | easy]. Qed.

Lemma moved_run l w zs : (forall i, In i l -> In i numbers) -> run η data zero mistakes zs w ->
  exists xs, run η data zero mistakes xs (fold_left step l w) /\
    length xs = (length (moved nat E step fits fits_dec w l) + length zs)%nat.
Proof.
  revert w zs. induction l as [| i l IH]; intros w zs I H; [now exists zs |]. cbn [fold_left moved].
  destruct (fits_dec w i) as [A | A].
  - rewrite fits_stays by exact A. apply IH; [intros j J; apply I; now right | exact H].
  - assert (N : In i numbers) by (apply I; now left). apply in_seq in N.
    assert (H' : run η data zero mistakes (row i :: zs) (step w i)).
    { unfold step, fits in *. destruct (Rle_dec _ _); [| lra]. constructor; [exact H | apply nth_In; lia | unfold mistakes; lra]. }
    destruct (IH _ _ (fun j J => I j (or_intror J)) H') as (xs & G & L). exists xs. split; [exact G |]. simpl in *. lia.
Qed.

Notation updated := (all_moved nat E step fits zero fits_dec (fun _ => numbers)).

Lemma updated_run n : exists zs, run η data zero mistakes zs (passes nat E step zero (fun _ => numbers) n) /\
  length zs = length (updated n).
Proof.
  induction n as [| n (zs & H & L)]; [exists []; split; [constructor | easy] |]. cbn [passes all_moved].
  destruct (moved_run numbers _ zs (fun i I => I) H) as (xs & G & M). exists xs. split; [exact G |].
  rewrite app_length. lia.
Qed.

Lemma filter_all l : filter all l = l.
Proof. induction l; simpl; congruence. Qed.

(** The rows updated on, at most (R/γ)² of them, are all that the training needs. Each other
    row may be left out, alone or with others, and is then right. *)
Theorem left_out u γ r : separates data u γ -> within data r -> exists (w : E) (few : list nat),
  NoDup few /\ count few <= (r / γ) ^ 2 /\
  (forall i, (i < length rows)%nat -> fits w i) /\
  forall keep, (forall i, In i few -> keep i = true) -> ends_at keep w.
Proof.
  intros S W.
  assert (C : forall n : nat, is_pass nat (fun i => In i numbers) numbers) by (intros n i; tauto).
  assert (B : exists m, forall i, In i numbers -> fits (passes nat E step zero (fun _ => numbers) m) i).
  { destruct (some_pass_settles nat E step fits (fun i => In i numbers) (fun w k => exists zs, run η data zero mistakes zs w /\ length zs = k) zero
      fits_stays) with (order := fun _ : nat => numbers) (B := (r / γ) ^ 2) as (m & _ & A).
    - intros w i k (zs & H & L) I. destruct (fits_dec w i) as [F | F]; [now left | right]. exists (row i :: zs).
      unfold step, fits in *. destruct (Rle_dec _ _); [| lra]. split; [| simpl; congruence].
      apply in_seq in I. constructor; [exact H | apply nth_In; lia | unfold mistakes; lra].
    - exists []. split; [constructor | easy].
    - exact C.
    - intros w k (zs & H & <-). now apply (novikoff E η data η_positive u γ r zs w).
    - exists m. exact A. }
  destruct B as (m & A). set (w := passes nat E step zero (fun _ => numbers) m) in *.
  exists w, (nodup Nat.eq_dec (updated m)). split; [apply NoDup_nodup |]. split; [| split].
  - destruct (updated_run m) as (zs & H & L). apply (Rle_trans _ (count zs)); [| now apply (novikoff E η data η_positive u γ r zs w)].
    unfold count. apply le_INR. rewrite L. apply NoDup_incl_length; [apply NoDup_nodup |]. intros i I. now apply nodup_In in I.
  - intros i L. apply A, in_seq. lia.
  - intros keep K. exists m. intros n N. unfold trained_on.
    replace w with (passes nat E step zero (fun _ => numbers) n).
    + apply (same_run nat E step fits zero fits_stays fits_dec). intros i I. apply K, nodup_In.
      revert I. clear -A N C. induction N as [| n N IH]; [easy |]. cbn [all_moved]. intros I. apply in_app_or in I as [I | I]; [| auto].
      exfalso. revert I. rewrite (settled_for_ever nat E step fits (fun i => In i numbers) zero fits_stays (fun _ => numbers)) with (m := m); [| tauto | exact A | exact N].
      fold w. revert A. clear. intros A. assert (Q : forall l, (forall i, In i l -> fits w i) -> moved nat E step fits fits_dec w l = []).
      { induction l as [| j l IH]; intros F; [easy |]. cbn [moved]. destruct (fits_dec w j) as [_ | N]; [apply IH; intros; apply F; now right | elim N; apply F; now left]. }
      now rewrite Q.
    + apply (settled_for_ever nat E step fits (fun i => In i numbers) zero fits_stays (fun _ => numbers)); [exact C | exact A | exact N].
Qed.

(** Leave one out: all but at most (R/γ)² rows are right under weights that never saw them. *)
Theorem leave_one_out u γ r : separates data u γ -> within data r -> exists wrong : list nat,
  NoDup wrong /\ count wrong <= (r / γ) ^ 2 /\
  forall i, (i < length rows)%nat -> ~ In i wrong -> exists w, ends_at (without i) w /\ 0 < ⟨w, row i⟩.
Proof.
  intros S W. destruct (left_out u γ r S W) as (w & few & N & B & A & K). exists few. split; [exact N |]. split; [exact B |].
  intros i L F. exists w. split; [| now apply A]. apply K. intros j J. unfold without.
  destruct (Nat.eqb_spec i j) as [-> |]; [easy | reflexivity].
Qed.
End Left.
