(** From mistakes in a stream to the error on rows to come. If the rows are drawn independently
    from one distribution, the expected number of mistakes in one pass over n rows is the sum of
    the expected errors of the n iterates. So an iterate chosen at random errs, in expectation,
    with a probability of k/n (Helmbold & Warmuth 1995; Cesa-Bianchi, Conconi & Gentile 2004),
    which is at most (R/γ)²/n. *)
From Perceptron Require Import Space Online.
Require Import Lra Psatz.

Section Drawn.
Variables (E : space) (η : R).
Hypothesis η_positive : 0 < η.

(** A distribution on finitely many examples z: each has a probability. *)
Variable chances : list (R * E).
Hypothesis chances_nonneg : forall p z, In (p, z) chances -> 0 <= p.
Definition mean (f : E -> R) := fold_right (fun c s => fst c * f (snd c) + s) 0 chances.
Hypothesis chances_one : mean (fun _ => 1) = 1.

(** The expectation of f over n examples drawn independently. *)
Fixpoint expected (n : nat) (f : list E -> R) : R := match n with
  | O => f []
  | S n => mean (fun z => expected n (fun l => f (z :: l)))
  end.

(** Rosenblatt's rule on a stream: its mistakes, and the errors of its iterates on one more draw. *)
Definition wrong (w z : E) : R := if Rle_dec ⟨w, z⟩ 0 then 1 else 0.
Definition step (w z : E) : E := if Rle_dec ⟨w, z⟩ 0 then w ⊕ η · z else w.
Definition error (w : E) := mean (wrong w).
Fixpoint made (w : E) (l : list E) : R := match l with [] => 0 | z :: l => wrong w z + made (step w z) l end.
Fixpoint errors (w : E) (l : list E) : R := match l with [] => 0 | z :: l => error w + errors (step w z) l end.

Lemma mean_ext f g : (forall z, f z = g z) -> mean f = mean g.
Proof. intros Q. unfold mean. clear -Q. induction chances as [| c l IH]; simpl; [easy |]. now rewrite Q, IH. Qed.

Lemma mean_plus f g : mean (fun z => f z + g z) = mean f + mean g.
Proof. unfold mean. clear. induction chances; simpl; lra. Qed.

Lemma mean_constant c : mean (fun _ => c) = c.
Proof.
  transitivity (c * mean (fun _ => 1)); [| rewrite chances_one; ring]. unfold mean. clear. induction chances; simpl; lra.
Qed.

Lemma mean_le f g : (forall p z, In (p, z) chances -> f z <= g z) -> mean f <= mean g.
Proof.
  unfold mean. intros L. revert chances_nonneg L. clear. induction chances as [| [p z] l IH]; intros P L; simpl; [lra |].
  assert (p * f z <= p * g z) by (apply Rmult_le_compat_l; [apply (P p z) | apply (L p z)]; now left).
  enough (fold_right (fun c s => fst c * f (snd c) + s) 0 l <= fold_right (fun c s => fst c * g (snd c) + s) 0 l) by lra.
  apply IH; intros q x I; [apply (P q x) | apply (L q x)]; now right.
Qed.

Lemma expected_plus n c f : expected n (fun l => c + f l) = c + expected n f.
Proof.
  revert f. induction n as [| n IH]; intros f; [easy |]. cbn [expected].
  rewrite (mean_ext _ (fun z => c + expected n (fun l => f (z :: l)))) by (intros; apply IH). now rewrite mean_plus, mean_constant.
Qed.

Theorem mistakes_estimate_errors n w : expected n (made w) = expected n (errors w).
Proof.
  revert w. induction n as [| n IH]; intros w; [easy |]. cbn [expected made errors].
  rewrite (mean_ext _ (fun z => wrong w z + expected n (made (step w z)))) by (intros; apply expected_plus).
  rewrite (mean_ext (fun z => expected n (fun l => error w + errors (step w z) l)) (fun z => error w + expected n (made (step w z)))).
  - now rewrite !mean_plus, mean_constant.
  - intros z. now rewrite expected_plus, IH.
Qed.

(** Separable draws: the errors of all iterates together are at most (R/γ)², in expectation. *)
Definition drawn (z : E) := exists p, In (p, z) chances.

Lemma made_counts l w zs : Forall drawn l -> run η drawn zero mistakes zs w ->
  exists xs v, run η drawn zero mistakes xs v /\ count xs = count zs + made w l.
Proof.
  revert w zs. induction l as [| z l IH]; intros w zs F H; [exists zs, w; simpl; split; [exact H | ring] |].
  inversion_clear F as [| ? ? D F']. cbn [made]. unfold wrong, step. destruct (Rle_dec ⟨w, z⟩ 0) as [L | L].
  - destruct (IH (w ⊕ η · z) (z :: zs) F') as (xs & v & G & C); [now constructor |]. exists xs, v. rewrite C, count_cons. split; [exact G | ring].
  - destruct (IH w zs F' H) as (xs & v & G & C). exists xs, v. rewrite C. split; [exact G | ring].
Qed.

Theorem errors_to_come u γ r n : separates drawn u γ -> within drawn r -> expected n (errors zero) <= (r / γ) ^ 2.
Proof.
  intros S W. rewrite <- mistakes_estimate_errors.
  assert (B : forall l, Forall drawn l -> made zero l <= (r / γ) ^ 2).
  { intros l F. destruct (made_counts l zero [] F) as (xs & v & H & C); [constructor |]. rewrite count_nil in C.
    pose proof (novikoff E η drawn η_positive u γ r xs v S W H). lra. }
  assert (G : forall n f c, (forall l, Forall drawn l -> f l <= c) -> expected n f <= c).
  { clear - chances_nonneg chances_one. induction n as [| n IH]; intros f c B; [apply B; constructor |]. cbn [expected].
    rewrite <- (mean_constant c). apply mean_le. intros p z I. apply IH. intros l F. apply B. constructor; [now exists p | exact F]. }
  now apply G.
Qed.
End Drawn.
