(** Training in passes, whatever the rule: if no run makes more than B updates, some pass
    m ≤ B needs none. *)

From Perceptron Require Import Space.
Require Import Lra Psatz Lia.

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
