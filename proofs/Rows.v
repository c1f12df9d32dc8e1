(** What is said of the number of rows updated on (Result.Rows), for every model: a run on a part
    of the rows that has all of these ends at the same weights. *)

From Perceptron Require Import Space Online Passes LeaveOneOut Multiclass ClassConvergence.
Require Import Lra Lia Arith.

(** ** Any rule that leaves the state alone where an item is settled *)
Section Kept.
Variables (item state : Type) (visit : state -> item -> state) (settled : state -> item -> Prop) (start : state).
Variable items : item -> Prop.
Hypothesis settled_stays : forall s i, settled s i -> visit s i = s.
Hypothesis settled_dec : forall s i, {settled s i} + {~ settled s i}.
Variable order : nat -> list item.
Hypothesis complete : forall n, is_pass item items (order n).
Notation passes := (passes item state visit start).
Notation updated := (all_moved item state visit settled start settled_dec order).

(** If m passes settle every item, then every later pass keeps the state, also without the items that
    were never updated on. *)
Theorem kept_for_ever keep m : all_settled item state settled items (passes order m) ->
  (forall i, In i (updated m) -> keep i = true) ->
  forall n, (m <= n)%nat -> passes (fun k => filter keep (order k)) n = passes order m.
Proof.
  intros A K. induction 1 as [| n L IH]; [now apply (same_run item state visit settled start settled_stays settled_dec) |].
  cbn [Passes.passes]. rewrite IH. apply (visits_settled item state visit settled settled_stays). intros i I. apply filter_In in I as [I _]. now apply A, (complete n i).
Qed.

(** An iterate that is right on all items is the last one. So a pocket that has all rows right has
    the last iterate. *)
Theorem right_iterate_is_last n l rest : order n = l ++ rest ->
  all_settled item state settled items (fold_left visit l (passes order n)) ->
  forall m, (n < m)%nat -> passes order m = fold_left visit l (passes order n).
Proof.
  intros Q A m L. set (s := fold_left visit l (passes order n)) in *.
  assert (S : passes order (S n) = s).
  { cbn [Passes.passes]. rewrite Q, fold_left_app. fold s. apply (visits_settled item state visit settled settled_stays).
    intros i I. apply A, (complete n i). rewrite Q. apply in_or_app. now right. }
  rewrite <- S. rewrite <- S in A. now apply (settled_for_ever item state visit settled items start settled_stays order complete).
Qed.
End Kept.

(** ** Kesler's construction, with the examples in their order *)
Section Classes.
Variables (E : space) (K : nat) (η : R) (examples : list (E * nat)) (start : stack E K).
Hypothesis η_positive : 0 < η.
Definition numbered_example (i : nat) : E * nat := nth i examples (zero, 0%nat).
Notation rule := (multi_zero_rule E K).
Definition multi_step (s : multi_model E K) (i : nat) := multi_visit E K η rule s (numbered_example i).
Definition multi_fits (s : multi_model E K) (i : nat) := multi_accepts E K rule s (numbered_example i).
Definition example_numbers := seq 0 (length examples).
Definition multi_passes l := passes nat (multi_model E K) multi_step (start, 0) (fun _ : nat => l).

Lemma multi_fits_dec s i : {multi_fits s i} + {~ multi_fits s i}.
Proof.
  unfold multi_fits, multi_accepts. set (e := numbered_example i).
  pose proof (highest_is E K (fst s) (fst e) (snd e) K) as H. destruct (highest E K (fst s) (fst e) (snd e) K) as [r |].
  - destruct H as (L & D & B). destruct (Rlt_dec (rule (fst s) (snd s)) (⟨fst s (snd e), fst e⟩ - ⟨fst s r, fst e⟩)) as [T | T]; [left | right].
    + intros c C N. specialize (B c C N). lra.
    + intros A. now apply T, A.
  - left. intros c C N. now apply H in C.
Qed.

Notation multi_updated := (all_moved nat (multi_model E K) multi_step multi_fits (start, 0) multi_fits_dec (fun _ => example_numbers)).

(** If a run has ended after m passes, the examples that it updated on, with or without others, lead to
    the same weights. These are right on all examples, also on those left out. The classes stay the same. *)
Theorem multiclass_left_out keep m : (forall i, (i < length examples)%nat -> multi_fits (multi_passes example_numbers m) i) ->
  (forall i, In i (multi_updated m) -> keep i = true) ->
  forall n, (m <= n)%nat -> multi_passes (filter keep example_numbers) n = multi_passes example_numbers m /\
    forall i, (i < length examples)%nat -> multi_fits (multi_passes (filter keep example_numbers) n) i.
Proof.
  intros A K0 n L. assert (Q : multi_passes (filter keep example_numbers) n = multi_passes example_numbers m); [| now rewrite Q].
  apply (kept_for_ever nat _ multi_step multi_fits (start, 0) (fun i => In i example_numbers)) with (settled_dec := multi_fits_dec)
    (order := fun _ : nat => example_numbers); [| | | exact K0 | exact L].
  - intros s i. apply multi_stays.
  - intros k i. tauto.
  - intros i I. apply in_seq in I. apply A. lia.
Qed.
End Classes.
