(** No learner does better. Whatever a deterministic algorithm predicts, some separable data with
    R = 1 and γ = 1/√n makes it err on each of its n = (R/γ)² rows. So Novikoff's bound is the
    best of all, not of this rule alone. *)
From Perceptron Require Import Space Online Examples.
Require Import Lra Lia Psatz.

Section Any.
Variable learner : list (sequences * bool) -> sequences -> bool. (* what it has seen, a new row: a label *)
Variable n : nat.
Hypothesis n_positive : (0 < n)%nat.

(** The adversary shows unit vectors, and says the opposite of each prediction. *)
Fixpoint shown (m : nat) : list (sequences * bool) := match m with
  | O => []
  | S m => shown m ++ [(e m, negb (learner (shown m) (e m)))]
  end.
Definition label (m : nat) := negb (learner (shown m) (e m)).
Definition sign (b : bool) : R := if b then 1 else -1.
Definition signed (x : sequences * bool) : sequences := sign (snd x) · fst x.
Definition best : sequences := map (fun m => sign (label m) * / sqrt (INR n)) (seq 0 n).

Lemma shown_in m x : In x (shown m) -> exists j, (j < m)%nat /\ x = (e j, label j).
Proof.
  induction m as [| m IH]; [easy |]. intros I. apply in_app_or in I as [I | [<- | []]].
  - destruct (IH I) as (j & L & Q). exists j. split; [lia | exact Q].
  - exists m. split; [lia | easy].
Qed.

Lemma inner_e (v : list R) m : seq_inner v (e m) = nth m v 0.
Proof.
  unfold e. revert v. induction m as [| m IH]; intros [| a v]; simpl; try easy; [destruct v; simpl; ring |]. rewrite IH. ring.
Qed.

Lemma equal_squares (v : list R) c : (forall a, In a v -> a * a = c) -> seq_inner v v = INR (length v) * c.
Proof.
  induction v as [| a v IH]; intros A; [simpl; ring |]. cbn [seq_inner length]. rewrite S_INR, IH by (intros; apply A; now right).
  rewrite (A a (or_introl eq_refl)). ring.
Qed.

Lemma signs b : sign b * sign b = 1.
Proof. destruct b; simpl; ring. Qed.

Theorem every_learner_errs :
  (forall m, (m < n)%nat -> learner (shown m) (e m) <> label m) /\ length (shown n) = n /\
  separates (data_of (map signed (shown n))) best (/ sqrt (INR n)) /\ within (data_of (map signed (shown n))) 1 /\
  INR n = (1 / / sqrt (INR n)) ^ 2.
Proof.
  assert (P : 0 < INR n) by now apply lt_0_INR. pose proof (sqrt_lt_R0 _ P) as Q. pose proof (sqrt_sqrt _ (Rlt_le _ _ P)) as D.
  split; [intros m _; unfold label; now destruct (learner _ _) |].
  split; [clear; induction n as [| m IH]; [easy |]; cbn [shown]; rewrite app_length, IH; simpl; lia |].
  split; [| split].
  - assert (U : ‖best‖ = 1).
    { unfold norm. change ⟨best, best⟩ with (seq_inner best best). rewrite (equal_squares best (/ INR n)).
      - unfold best. rewrite map_length, seq_length, Rinv_r by lra. apply sqrt_1.
      - intros a I. unfold best in I. apply in_map_iff in I as (m & <- & _).
        replace (sign (label m) * / sqrt (INR n) * (sign (label m) * / sqrt (INR n))) with
          (sign (label m) * sign (label m) * / (sqrt (INR n) * sqrt (INR n))) by (field; lra). rewrite signs, D. ring. }
    split; [now apply Rinv_0_lt_compat |]. split; [rewrite U; lra |]. rewrite U. intros z I.
    apply in_map_iff in I as (x & <- & I). apply shown_in in I as (j & L & ->). unfold signed. cbn [fst snd].
    rewrite inner_scale_r. change ⟨best, e j⟩ with (seq_inner best (e j)). rewrite inner_e. unfold best.
    rewrite (nth_indep _ 0 (sign (label 0) * / sqrt (INR n))) by (rewrite map_length, seq_length; exact L).
    rewrite (map_nth (fun m => sign (label m) * / sqrt (INR n))), seq_nth by exact L. simpl (0 + j)%nat.
    rewrite <- Rmult_assoc, signs. lra.
  - split; [lra |]. intros z I. apply in_map_iff in I as (x & <- & I). apply shown_in in I as (j & _ & ->). unfold signed. cbn [fst snd].
    unfold norm. rewrite inner_scale, inner_scale_r, <- Rmult_assoc, signs. rewrite inner_units. rewrite Nat.eqb_refl, Rmult_1_l, sqrt_1. lra.
  - unfold Rdiv. rewrite Rmult_1_l, Rinv_inv. simpl. lra.
Qed.
End Any.
