(** What the models do beside the updates: one against the rest, the pocket, the average,
    and scaled features. *)

From Perceptron Require Import Space Online Convergence.
Require Import Lra Psatz Lia.

(** ** One against the rest *)
Section OneVsRest.
Variables (E : space) (η : R) (examples : list (E * nat)) (start : nat -> E) (q0 : R).
Hypothesis η_positive : 0 < η.
Hypothesis q0_nonneg : 0 <= q0.

(** The rows that class c trains on: its own have the label +1, all others −1. *)
Definition against (c : nat) : list E := map (fun e => (if Nat.eqb (snd e) c then 1 else -1) · fst e) examples.
Definition converged (c : nat) (order : nat -> list E) := exists m,
  all_accepted E (against c) (zero_rule E) (trained E η (start c) q0 (zero_rule E) order m).

(** Training ends for each class if and only if each class separates from the rest. *)
Theorem one_vs_rest_converges K order : (forall c, (c < K)%nat -> every_order E (against c) (order c)) ->
  (forall c, (c < K)%nat -> converged c (order c)) <-> (forall c, (c < K)%nat -> exists w, right E (against c) w).
Proof.
  intros O. split; intros H c L.
  - destruct (H c L) as (m & A). eexists. intros z I. exact (A z I).
  - destruct (H c L) as (w & M). destruct (against c) as [| z l] eqn:Q; [exists 0%nat; intros z; rewrite Q; easy |]. rewrite <- Q in M.
    assert (I : In z (against c)) by (rewrite Q; now left).
    destruct (separates_some E (against c) w z I M) as (γ & S). destruct (within_some E (against c)) as (r & W).
    destruct (online_converges E η (against c) (start c) q0 η_positive q0_nonneg w γ r (order c) S W (O c L)) as (m & v & _ & T & P).
    exists m. intros x X. red. rewrite (T m (le_n m)). now apply P.
Qed.
End OneVsRest.

(** ** The pocket *)
Section Pocket.
Variables (A : Type) (score : A -> nat).

(** The challenger replaces the pocket's iterate if it has strictly more rows right. *)
Definition ratchet (pocket challenger : A) := if Nat.ltb (score pocket) (score challenger) then challenger else pocket.

Lemma ratchet_rises p c : (score p <= score (ratchet p c) /\ score c <= score (ratchet p c))%nat.
Proof. unfold ratchet. destruct (Nat.ltb_spec (score p) (score c)); lia. Qed.

(** The pocket never has fewer rows right than before, nor than any challenger had. *)
Theorem pocket_never_falls p cs : (score p <= score (fold_left ratchet cs p) /\
  forall c, In c cs -> score c <= score (fold_left ratchet cs p))%nat.
Proof.
  revert p. induction cs as [| a cs IH]; intros p; [split; [apply le_n | easy] |]. simpl.
  destruct (IH (ratchet p a)) as [F G]. destruct (ratchet_rises p a). split; [lia |]. intros c [<- | I]; [lia | auto].
Qed.
End Pocket.

(** ** The average *)
Section Average.
Variable E : space.
Implicit Types (w v : E) (ws : list E).

(** After n examples, one that turns w into w′ adds n(w′ − w). The list has the iterate
    after each example, whether it was right or not. *)
Fixpoint increments (n : nat) w ws : E := match ws with
  | [] => zero
  | w' :: ws => INR n · (w' ⊕ -1 · w) ⊕ increments (S n) w' ws
  end.

Lemma increments_from n w ws v :
  INR (n + length ws) * ⟨v, last ws w⟩ - ⟨v, increments n w ws⟩ = INR n * ⟨v, w⟩ + ⟨v, total ws⟩.
Proof.
  revert n w. induction ws as [| w' ws IH]; intros n w.
  - simpl. rewrite !inner_zero_r, Nat.add_0_r. ring.
  - specialize (IH (S n) w'). replace (n + length (w' :: ws))%nat with (S n + length ws)%nat by (simpl; lia).
    replace (last (w' :: ws) w) with (last ws w') by (clear; destruct ws as [| a ws]; [easy |]; simpl; revert a; induction ws; intros; simpl; auto).
    cbn [increments total fold_right]. rewrite !inner_add_r, inner_scale_r, inner_add_r, inner_scale_r.
    fold (total ws). rewrite S_INR in IH. lra.
Qed.

(** n·w − u is the sum of the n iterates. *)
Theorem average_by_increments w ws v :
  count ws * ⟨v, last ws w⟩ - ⟨v, increments 0 w ws⟩ = ⟨v, total ws⟩.
Proof. pose proof (increments_from 0 w ws v) as H. simpl in H. unfold count. lra. Qed.

(** An example that is right adds nothing. *)
Theorem right_adds_nothing n w v : ⟨v, INR n · (w ⊕ -1 · w)⟩ = 0.
Proof. rewrite inner_scale_r, inner_add_r, inner_scale_r. ring. Qed.
End Average.

(** ** Scaled features *)
Fixpoint standardized (x mean scale : list R) : list R := match x, mean, scale with
  | a :: x, m :: mean, s :: scale => (a - m) / s :: standardized x mean scale
  | _, _, _ => []
  end.
Fixpoint unscaled (w scale : list R) : list R := match w, scale with
  | a :: w, s :: scale => a / s :: unscaled w scale
  | _, _ => []
  end.
Fixpoint shift (w mean scale : list R) : R := match w, mean, scale with
  | a :: w, m :: mean, s :: scale => a * m / s + shift w mean scale
  | _, _, _ => 0
  end.

(** The hyperplane for raw rows scores them as the other scores the scaled rows. *)
Theorem unscale_exact w b x mean scale : length w = length x -> length mean = length x -> length scale = length x ->
  Forall (fun s => 0 < s) scale ->
  seq_inner w (standardized x mean scale) + b = seq_inner (unscaled w scale) x + (b - shift w mean scale).
Proof.
  intros A B C F. enough (seq_inner w (standardized x mean scale) = seq_inner (unscaled w scale) x - shift w mean scale) by lra.
  revert x mean scale A B C F. induction w as [| a w IH]; intros [| c x] [| m mean] [| s scale] A B C F; try discriminate; simpl; [lra |].
  inversion_clear F. rewrite IH by (auto; congruence). field. lra.
Qed.

(** Unscale rounds each weight and the bias once: each has a relative error of at most ε. B is the
    bias before that rounding, of an error of at most δ. *)
Fixpoint rounded_weights (ε : R) (w' w scale : list R) : Prop := match w', w, scale with
  | a' :: w', a :: w, s :: scale => Rabs (a' - a / s) <= ε * Rabs (a / s) /\ rounded_weights ε w' w scale
  | [], [], [] => True
  | _, _, _ => False
  end.
Fixpoint magnitude (w x scale : list R) : R := match w, x, scale with
  | a :: w, c :: x, s :: scale => Rabs (a * c / s) + magnitude w x scale
  | _, _, _ => 0
  end.

Lemma rounded_scores ε w' w x scale : length w = length x -> rounded_weights ε w' w scale ->
  Rabs (seq_inner w' x - seq_inner (unscaled w scale) x) <= ε * magnitude w x scale.
Proof.
  revert w x scale. induction w' as [| a' w' IH]; intros [| a w] [| c x] [| s scale] L C; try discriminate; try easy; simpl;
    [rewrite Rminus_0_r, Rabs_R0; lra |].
  destruct C as [C D]. injection L as L. specialize (IH w x scale L D).
  replace (a' * c + seq_inner w' x - (a / s * c + seq_inner (unscaled w scale) x))
    with ((a' - a / s) * c + (seq_inner w' x - seq_inner (unscaled w scale) x)) by ring.
  apply (Rle_trans _ _ _ (Rabs_triang _ _)). rewrite Rabs_mult.
  replace (a * c / s) with (a / s * c) by (unfold Rdiv; ring). rewrite (Rabs_mult (a / s) c).
  pose proof (Rmult_le_compat_r (Rabs c) _ _ (Rabs_pos c) C). lra.
Qed.

Theorem unscale_rounded ε δ w w' b b' B x mean scale : length w = length x -> length mean = length x ->
  length scale = length x -> Forall (fun s => 0 < s) scale -> rounded_weights ε w' w scale ->
  Rabs (b' - B) <= ε * Rabs b' -> Rabs (B - (b - shift w mean scale)) <= δ ->
  Rabs (seq_inner w' x + b' - (seq_inner w (standardized x mean scale) + b)) <= ε * (magnitude w x scale + Rabs b') + δ.
Proof.
  intros L M S P C D F. rewrite (unscale_exact w b x mean scale L M S P).
  pose proof (rounded_scores ε w' w x scale L C) as Q.
  replace (_ - _) with (seq_inner w' x - seq_inner (unscaled w scale) x + ((b' - B) + (B - (b - shift w mean scale)))) by ring.
  pose proof (Rabs_triang (seq_inner w' x - seq_inner (unscaled w scale) x) ((b' - B) + (B - (b - shift w mean scale)))).
  pose proof (Rabs_triang (b' - B) (B - (b - shift w mean scale))). lra.
Qed.
