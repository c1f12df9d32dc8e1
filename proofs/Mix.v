(** Iterative parameter mixing (McDonald, Hall and Mann 2010). *)

From Perceptron Require Import Space Online.
Require Import Lra Psatz.

(** One shard in one round: its share μ of the mix, the examples it was wrong on, and
    its weights after them. *)
Record shard (E : space) := { share : R; wrong : list E; weights : E }.
Arguments share {E}.
Arguments wrong {E}.
Arguments weights {E}.

(** The mean over the shards of a number, and of the weights. *)
Definition mean {E} (f : shard E -> R) (round : list (shard E)) :=
  fold_right (fun s m => share s * f s + m) 0 round.
Definition mix {E : space} (round : list (shard E)) : E :=
  fold_right (fun s m => share s · weights s ⊕ m) zero round.

(** Every shard trains by Rosenblatt's rule from the weights w, on its examples. The
    shares, μ ≥ 0 with Σμ = 1, may depend on the outcome. *)
Definition trains {E : space} (η : R) (data : E -> Prop) (w : E) (round : list (shard E)) :=
  Forall (fun s => 0 <= share s /\ run η data w mistakes (wrong s) (weights s)) round /\
  mean (fun _ => 1) round = 1.

(** Each round begins at the last mix. A training lists the rounds, the last one first. *)
Inductive mixing {E : space} (η : R) (data : E -> Prop) (start : E) : list (list (shard E)) -> E -> Prop :=
| mixing_begin : mixing η data start [] start
| mixing_round rounds round w : mixing η data start rounds w -> trains η data w round ->
    mixing η data start (round :: rounds) (mix round).

(** Σ_s μ_s k_s of a round, and its sum over the rounds. *)
Definition mean_mistakes {E : space} (round : list (shard E)) := mean (fun s => count (wrong s)) round.
Definition mixed_mistakes {E : space} (rounds : list (list (shard E))) :=
  fold_right (fun r m => mean_mistakes r + m) 0 rounds.

Section Means.
Variable E : space.
Implicit Types (round : list (shard E)) (f g : shard E -> R).

Lemma mean_at_most f g round : Forall (fun s => 0 <= share s /\ f s <= g s) round -> mean f round <= mean g round.
Proof. induction 1 as [| s round [P L]]; simpl; nra. Qed.

Lemma mean_linear a b f round : mean (fun s => a + b * f s) round = a * mean (fun _ => 1) round + b * mean f round.
Proof. induction round; simpl; lra. Qed.

Lemma inner_mix v round : ⟨v, mix round⟩ = mean (fun s => ⟨v, weights s⟩) round.
Proof.
  induction round as [| s round IH]; simpl; [apply inner_zero_r |].
  now rewrite inner_add_r, inner_scale_r, IH.
Qed.

(** ‖·‖² is convex: 0 ≤ Σμ‖w_s − m‖² for the mix m. *)
Lemma mix_convex round : Forall (fun s => 0 <= share s) round -> mean (fun _ => 1) round = 1 ->
  ⟨mix round, mix round⟩ <= mean (fun s => ⟨weights s, weights s⟩) round.
Proof.
  intros P T. set (m := mix round).
  assert (N : mean (fun _ => 0) round <= mean (fun s => ⟨m ⊕ -1 · weights s, m ⊕ -1 · weights s⟩) round).
  { apply mean_at_most. revert P. apply Forall_impl. intros s Q. split; [exact Q | apply inner_nonneg]. }
  assert (X : mean (fun _ => 0) round = 0) by (clear; induction round; simpl; lra).
  assert (Y : mean (fun s => ⟨m ⊕ -1 · weights s, m ⊕ -1 · weights s⟩) round =
    ⟨m, m⟩ * mean (fun _ => 1) round - 2 * mean (fun s => ⟨m, weights s⟩) round + mean (fun s => ⟨weights s, weights s⟩) round).
  { clearbody m. clear. induction round as [| s round IH]; simpl; [lra |]. rewrite IH, square_add. ring. }
  rewrite <- inner_mix in Y. fold m in Y. rewrite T in Y. lra.
Qed.
End Means.

Section Mixing.
Variables (E : space) (η : R) (data : E -> Prop) (start : E).
Hypothesis η_positive : 0 < η.

Lemma mixed_reach u γ rounds w : separates data u γ -> mixing η data start rounds w ->
  mixed_mistakes rounds * (η * γ) - ‖start‖ <= ‖w‖.
Proof.
  intros [_ S] H. apply unit_margin in S as (v & U & V). assert (A : ⟨v, start⟩ + mixed_mistakes rounds * (η * γ) <= ⟨v, w⟩).
  { induction H as [| rounds round w _ IH [T M]]; simpl; [lra |].
    assert (G : mean (fun s => ⟨v, w⟩ + η * γ * count (wrong s)) round <= ⟨v, mix round⟩).
    { rewrite inner_mix. apply mean_at_most. revert T. apply Forall_impl. intros s [P R]. split; [exact P |].
      pose proof (alignment _ _ _ _ η_positive _ _ _ _ _ V R). lra. }
    rewrite mean_linear, M in G. unfold mean_mistakes. lra. }
  pose proof (inner_at_most _ v w). pose proof (inner_at_least _ v start).
  rewrite U in *. lra.
Qed.

Lemma mixed_growth r rounds w : within data r -> mixing η data start rounds w ->
  ⟨w, w⟩ <= ‖start‖ ^ 2 + mixed_mistakes rounds * (η * r) ^ 2.
Proof.
  intros L. induction 1 as [| rounds round w _ IH [T M]]; simpl mixed_mistakes.
  - rewrite norm_square. lra.
  - assert (G : mean (fun s => ⟨weights s, weights s⟩) round <= mean (fun s => ⟨w, w⟩ + (η * r) ^ 2 * count (wrong s)) round).
    { apply mean_at_most. revert T. apply Forall_impl. intros s [P R]. split; [exact P |].
      pose proof (growth _ _ data _ η_positive r mistakes 0 _ _ L (fun _ _ _ => Rle_refl 0) R) as G.
      rewrite norm_square in G. lra. }
    rewrite mean_linear, M in G.
    assert (C : ⟨mix round, mix round⟩ <= mean (fun s => ⟨weights s, weights s⟩) round).
    { apply mix_convex; [| exact M]. revert T. apply Forall_impl. now intros s []. }
    unfold mean_mistakes. lra.
Qed.

Lemma mean_mistakes_nonneg w round : trains η data w round -> 0 <= mean_mistakes round.
Proof.
  intros [T _]. unfold mean_mistakes. induction T as [| s round [P _]]; simpl; [lra |].
  pose proof (count_nonneg _ (wrong s)). nra.
Qed.

Lemma mixed_mistakes_nonneg rounds w : mixing η data start rounds w -> 0 <= mixed_mistakes rounds.
Proof.
  induction 1 as [| rounds round w _ IH T]; simpl; [lra |]. pose proof (mean_mistakes_nonneg _ _ T). lra.
Qed.

Theorem mix_bound_start u γ r rounds w : separates data u γ -> within data r ->
  mixing η data start rounds w -> mixed_mistakes rounds <= (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S L H. pose proof (mixed_reach _ _ _ _ S H) as A. pose proof (mixed_growth _ _ _ L H) as G.
  destruct S as [P _].
  replace ((r / γ) ^ 2) with ((η * r) ^ 2 / (η * γ) ^ 2) by (field; lra).
  apply growth_bound; [nra | now apply (mixed_mistakes_nonneg _ w) | apply norm_nonneg | apply pow2_ge_0 |].
  apply (Rle_trans _ _ _ A), sqrt_le_1_alt, G.
Qed.

(** ** Rounds in which a shard made a mistake *)
Definition has_mistake (round : list (shard E)) :=
  existsb (fun s => match wrong s with [] => false | _ => true end) round.
Definition rounds_with_mistake (rounds : list (list (shard E))) := count (filter has_mistake rounds).

(** If each of them has Σμ_s k_s ≥ c, then there are at most (Σ Σμ_s k_s)/c. *)
Lemma rounds_at_most c rounds w : mixing η data start rounds w ->
  Forall (fun r => has_mistake r = true -> c <= mean_mistakes r) rounds ->
  c * rounds_with_mistake rounds <= mixed_mistakes rounds.
Proof.
  induction 1 as [| rounds round w _ IH T]; intros F; unfold rounds_with_mistake in *; simpl.
  - rewrite count_nil. lra.
  - inversion_clear F as [| ? ? M F']. specialize (IH F'). destruct (has_mistake round).
    + rewrite count_cons. specialize (M eq_refl). lra.
    + pose proof (mean_mistakes_nonneg _ _ T). lra.
Qed.

(** The sum of k over the shards, and of k². *)
Definition mistakes_of (round : list (shard E)) := fold_right (fun s m => count (wrong s) + m) 0 round.

Lemma mistakes_of_nonneg round : 0 <= mistakes_of round.
Proof. induction round as [| s]; simpl; [lra | pose proof (count_nonneg _ (wrong s)); lra]. Qed.

Lemma mistakes_of_positive round : has_mistake round = true -> 1 <= mistakes_of round.
Proof.
  induction round as [| s round IH]; simpl; [discriminate |].
  pose proof (mistakes_of_nonneg round). destruct (wrong s) as [| z zs].
  - simpl. rewrite count_nil. intros M. specialize (IH M). lra.
  - rewrite count_cons. pose proof (count_nonneg _ zs). lra.
Qed.

(** Uniform shares: every share is 1/S. *)
Definition uniform n (round : list (shard E)) := Forall (fun s => share s = / n) round.

Lemma uniform_mean n round : 0 < n -> uniform n round -> has_mistake round = true -> / n <= mean_mistakes round.
Proof.
  intros N Q M. apply mistakes_of_positive in M. pose proof (Rinv_0_lt_compat _ N).
  assert (X : mean_mistakes round = / n * mistakes_of round); [| nra].
  unfold mean_mistakes. clear M. induction Q as [| s round F _ IH]; simpl; [ring |]. rewrite IH, F. ring.
Qed.

Theorem uniform_rounds_start u γ r n rounds w : separates data u γ -> within data r -> 0 < n ->
  mixing η data start rounds w -> Forall (uniform n) rounds ->
  rounds_with_mistake rounds <= n * ((r / γ) ^ 2 + 2 * ‖start‖ / (η * γ)).
Proof.
  intros S L N H Q. pose proof (mix_bound_start _ _ _ _ _ S L H) as B.
  assert (M : / n * rounds_with_mistake rounds <= mixed_mistakes rounds).
  { apply (rounds_at_most _ _ w H). revert Q. apply Forall_impl. intros round F. now apply uniform_mean. }
  pose proof (Rinv_0_lt_compat _ N). apply (Rmult_le_reg_l (/ n)); [easy |].
  rewrite <- Rmult_assoc, Rinv_l; lra.
Qed.

(** Shares in proportion to the mistakes: μ_s Σk = k_s. *)
Definition proportional (round : list (shard E)) :=
  Forall (fun s => share s * mistakes_of round = count (wrong s)) round.

(** Σk² ≥ Σk, since each k is a natural number. *)
Lemma proportional_mean round : proportional round -> has_mistake round = true -> 1 <= mean_mistakes round.
Proof.
  intros Q M. apply mistakes_of_positive in M. set (K := mistakes_of round) in *.
  assert (X : mistakes_of round <= K * mean_mistakes round).
  { unfold proportional in Q. fold K in Q. clearbody K. unfold mean_mistakes.
    induction Q as [| s round F _ IH]; simpl; [lra |].
    replace (K * _) with (share s * K * count (wrong s) + K * mean (fun s => count (wrong s)) round) by ring.
    rewrite F. destruct (wrong s) as [| z zs]; [rewrite count_nil; lra |].
    rewrite count_cons. pose proof (count_nonneg _ zs). nra. }
  fold K in X. nra.
Qed.

Theorem proportional_rounds_start u γ r rounds w : separates data u γ -> within data r ->
  mixing η data start rounds w -> Forall (fun r => has_mistake r = true -> proportional r) rounds ->
  rounds_with_mistake rounds <= (r / γ) ^ 2 + 2 * ‖start‖ / (η * γ).
Proof.
  intros S L H Q. pose proof (mix_bound_start _ _ _ _ _ S L H) as B.
  assert (M : 1 * rounds_with_mistake rounds <= mixed_mistakes rounds); [| lra].
  apply (rounds_at_most _ _ w H). revert Q. apply Forall_impl. intros round F M. apply proportional_mean; auto.
Qed.
End Mixing.

Section FromZero.
Variables (E : space) (η : R) (data : E -> Prop) (u : E) (γ r : R) (rounds : list (list (shard E))) (w : E).
Hypothesis η_positive : 0 < η.
Hypothesis separable : separates data u γ.
Hypothesis radius : within data r.
Hypothesis training : mixing η data zero rounds w.

Lemma no_start : 2 * ‖(zero : E)‖ / (η * γ) = 0.
Proof. rewrite norm_zero. destruct separable. field. lra. Qed.

Theorem mix_bound : mixed_mistakes rounds <= (r / γ) ^ 2.
Proof.
  pose proof (mix_bound_start _ _ _ _ η_positive _ _ _ _ _ separable radius training) as B.
  rewrite no_start in B. lra.
Qed.

Theorem uniform_rounds n : 0 < n -> Forall (uniform _ n) rounds -> rounds_with_mistake _ rounds <= n * (r / γ) ^ 2.
Proof.
  intros N Q.
  pose proof (uniform_rounds_start _ _ _ _ η_positive _ _ _ _ _ _ separable radius N training Q) as B.
  rewrite no_start in B. lra.
Qed.

Theorem proportional_rounds : Forall (fun r => has_mistake _ r = true -> proportional _ r) rounds ->
  rounds_with_mistake _ rounds <= (r / γ) ^ 2.
Proof.
  intros Q.
  pose proof (proportional_rounds_start _ _ _ _ η_positive _ _ _ _ _ separable radius training Q) as B.
  rewrite no_start in B. lra.
Qed.
End FromZero.
