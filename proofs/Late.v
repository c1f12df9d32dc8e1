(** Two classes, the second of which arrives late. Until then no example has a rival, and nothing is
    learned. *)

From Perceptron Require Import Space Online Multiclass Convergence ClassConvergence.
Require Import Lia Arith Bool.

Section Late.
Variables (E : space) (η : R) (θ : stack E 2 -> R -> R).
Notation state := (multi_model E 2).
Notation visit := (multi_visit E 2 η θ).

(** The classes seen, and the model. An example makes its class known. If the other class is not known,
    there is no rival, and the example is no mistake. *)
Definition late_visit (s : (nat -> bool) * state) (e : E * nat) : (nat -> bool) * state :=
  let known := fun c => Nat.eqb c (snd e) || fst s c in
  (known, if known (1 - snd e)%nat then visit (snd s) e else snd s).

Lemma stays_known c l s : fst s c = true -> fst (fold_left late_visit l s) c = true.
Proof.
  revert s. induction l as [| e l IH]; intros s K; [easy |]. cbn [fold_left]. apply IH. unfold late_visit. cbn [fst snd]. rewrite K. apply orb_true_r.
Qed.

Lemma one_class s c l : (c < 2)%nat -> (forall e, In e l -> snd e = c) -> fst s (1 - c)%nat = false ->
  snd (fold_left late_visit l s) = snd s.
Proof.
  intros C. revert s. induction l as [| e l IH]; intros s H K; [easy |]. cbn [fold_left].
  assert (Y : snd e = c) by (apply H; now left). assert (N : Nat.eqb (1 - c) c = false) by (apply Nat.eqb_neq; lia).
  rewrite IH; [| intros x X; apply H; now right |]; unfold late_visit; cbn [fst snd]; now rewrite Y, N, K.
Qed.

Lemma both_known l s : (forall c, (c < 2)%nat -> fst s c = true) -> (forall e, In e l -> (snd e < 2)%nat) ->
  snd (fold_left late_visit l s) = fold_left visit l (snd s).
Proof.
  revert s. induction l as [| e l IH]; intros s K H; [easy |]. cbn [fold_left].
  assert (Y : (snd e < 2)%nat) by (apply H; now left). rewrite IH.
  - unfold late_visit. cbn [fst snd]. rewrite (K (1 - snd e)%nat) by lia. now rewrite orb_true_r.
  - intros c L. unfold late_visit. cbn [fst snd]. rewrite (K c L). apply orb_true_r.
  - intros x X. apply H. now right.
Qed.

(** Multiclass makes the decisions of a model that knows both classes, and begins with the first
    example of the second class. *)
Theorem late_second_class ones x y rest s c : (c < 2)%nat -> (y < 2)%nat -> y <> c -> ones <> [] ->
  (forall e, In e ones -> snd e = c) -> (forall e, In e rest -> (snd e < 2)%nat) ->
  snd (fold_left late_visit (ones ++ (x, y) :: rest) (fun _ => false, s)) = fold_left visit ((x, y) :: rest) s.
Proof.
  intros C Y D N H L. rewrite fold_left_app. pose proof (one_class (fun _ => false, s) c ones C H eq_refl) as A.
  assert (K : fst (fold_left late_visit ones (fun _ => false, s)) c = true).
  { destruct ones as [| e l]; [easy |]. cbn [fold_left]. apply stays_known. unfold late_visit. cbn [fst snd].
    now rewrite (H e (or_introl eq_refl)), Nat.eqb_refl. }
  set (t := fold_left late_visit ones (fun _ => false, s)) in *. cbn [snd fold_left] in *.
  assert (O : (1 - y)%nat = c) by lia. rewrite both_known; [| intros k M; unfold late_visit; cbn [fst snd] | exact L].
  - unfold late_visit. cbn [fst snd]. now rewrite O, K, orb_true_r, A.
  - destruct (Nat.eqb_spec k y) as [| Q]; [easy |]. replace k with c by lia. exact K.
Qed.
End Late.
