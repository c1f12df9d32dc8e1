(** Duality: γ is the greatest lower bound of ‖Σλz‖/Σλ, and the margin rule finds such λ. With
    Gamma = 2a, its Result.Upper is at most a + R/√k after k updates; and for a > γ it never
    ends. So a run of Margin and its Upper bracket γ. *)

From Perceptron Require Import Space Online Threshold Separation Convergence.
Require Import Lra Psatz Lia.

Section Duality.
Variable E : space.
Implicit Types (rows zs : list E) (w z v : E) (λ : list R).

(** ** How often each row was updated on: multipliers *)
Lemma bump rows z λ : In z rows -> length λ = length rows -> Forall (fun a => 0 <= a) λ ->
  exists μ, length μ = length rows /\ Forall (fun a => 0 <= a) μ /\ sum μ = sum λ + 1 /\
    forall v, ⟨v, weighted μ rows⟩ = ⟨v, weighted λ rows⟩ + ⟨v, z⟩.
Proof.
  revert λ. induction rows as [| x rows IH]; intros [| a λ] I L N; try easy. inversion_clear N as [| ? ? A N'].
  destruct I as [-> | I].
  - exists (a + 1 :: λ). split; [exact L |]. split; [constructor; [lra | exact N'] |]. split; [unfold sum; simpl; lra |].
    intros v. simpl. rewrite !inner_add_r, !inner_scale_r. lra.
  - destruct (IH λ I (eq_add_S _ _ L) N') as (μ & Lμ & Nμ & S & W). exists (a :: μ).
    split; [simpl; now rewrite Lμ |]. split; [now constructor |]. split; [unfold sum in *; simpl; lra |].
    intros v. simpl. rewrite !inner_add_r, W. lra.
Qed.

Lemma counts rows zs : Forall (fun z => In z rows) zs -> exists λ, length λ = length rows /\
  Forall (fun a => 0 <= a) λ /\ sum λ = count zs /\ forall v, ⟨v, weighted λ rows⟩ = ⟨v, total zs⟩.
Proof.
  induction 1 as [| z zs I _ (λ & L & N & S & W)].
  - exists (repeat 0 (length rows)). split; [apply repeat_length |]. split; [induction rows; simpl; constructor; auto; lra |].
    split; [rewrite count_nil; unfold sum; induction rows; simpl; lra |].
    intros v. simpl. rewrite inner_zero_r. induction rows; simpl; rewrite ?inner_zero_r, ?inner_add_r, ?inner_scale_r; lra.
  - destruct (bump rows z λ I L N) as (μ & Lμ & Nμ & Sμ & Wμ). exists μ. rewrite count_cons. repeat split; auto; [lra |].
    intros v. simpl. rewrite Wμ, W, inner_add_r. ring.
Qed.

(** ** A run of the margin rule proves an upper bound near γ′/2 *)
Theorem margin_upper (η r γ' : R) rows zs w : 0 < η -> within (data_of rows) r -> 0 <= γ' ->
  run η (data_of rows) zero (relative E γ') zs w -> 0 < count zs ->
  exists λ, multipliers E rows λ /\ ‖(weighted λ rows)‖ / sum λ = ‖w‖ / (η * count zs) /\
    ‖w‖ / (η * count zs) <= γ' / 2 + r / sqrt (count zs).
Proof.
  intros P L G H K. destruct (counts rows zs (run_data _ _ _ _ _ _ _ H)) as (λ & Lλ & N & S & W).
  exists λ. split; [split; [exact Lλ | split; [exact N | lra]] |].
  assert (Q : ‖w‖ = η * ‖(weighted λ rows)‖).
  { assert (A : forall v, ⟨v, w⟩ = η * ⟨v, weighted λ rows⟩).
    { intros v. rewrite (run_sum _ _ _ _ _ _ _ H), inner_zero_r, W. ring. }
    unfold norm. rewrite A, inner_sym, A. rewrite <- Rmult_assoc, sqrt_mult_alt, sqrt_square; [easy | lra |]. nra. }
  split; [rewrite S, Q; field; lra |].
  pose proof (relative_growth E η _ P zero r γ' zs w L G H) as B. rewrite norm_zero in B.
  destruct L as [R0 _]. pose proof (sqrt_lt_R0 _ K) as T. pose proof (pow2_sqrt _ (Rlt_le _ _ K)) as T2.
  replace (0 ^ 2 + count zs * (η * r) ^ 2) with ((sqrt (count zs) * (η * r)) ^ 2) in B by (rewrite Rpow_mult_distr, T2; ring).
  rewrite sqrt_pow2 in B by (repeat apply Rmult_le_pos; lra).
  set (s := sqrt (count zs)) in *. rewrite <- T2 in *.
  apply (Rmult_le_reg_r (η * s ^ 2)); [nra |]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by nra.
  replace ((γ' / 2 + r / s) * (η * s ^ 2)) with (s ^ 2 * (η * γ' / 2) + s * (η * r)) by (field; lra). lra.
Qed.

(** ** Above γ the rule never ends *)
Lemma some_low rows w c : (exists z, In z rows /\ ⟨w, z⟩ <= c) \/ forall z, In z rows -> c < ⟨w, z⟩.
Proof.
  induction rows as [| x rows [(z & I & L) | A]]; [now right | left; exists z; split; [now right | exact L] |].
  destruct (Rle_dec ⟨w, x⟩ c) as [L | L]; [left; exists x; split; [now left | exact L] | right].
  intros z [<- | I]; [lra | auto].
Qed.

Lemma never_ends (η : R) rows γ a k : rows <> [] -> margin E rows γ -> 0 <= a -> γ < a ->
  exists zs w, run η (data_of rows) zero (relative E (2 * a)) zs w /\ length zs = k.
Proof.
  intros N [M _] A G. induction k as [| k (zs & w & H & L)]; [exists [], zero; split; [constructor | easy] |].
  destruct (some_low rows w (a * ‖w‖)) as [(z & I & T) | T].
  - exists (z :: zs), (w ⊕ η · z). split; [| simpl; now rewrite L]. constructor; auto.
    unfold relative. replace (2 * a / 2) with a by field. exact T.
  - exfalso. assert (X : has_margin (data_of rows) w a).
    { apply margin_intro; [destruct rows as [| x l]; [easy | exists x; now left] |]. intros z I. specialize (T z I).
      pose proof (norm_nonneg _ w). split; nra. }
    assert (a <= γ) by (apply M; now exists w). lra.
Qed.

(** ** So the least upper bound that multipliers prove is γ *)
Theorem duality rows γ : rows <> [] -> margin E rows γ -> 0 <= γ ->
  (forall λ, multipliers E rows λ -> γ <= ‖(weighted λ rows)‖ / sum λ) /\
  forall ε, 0 < ε -> exists λ, multipliers E rows λ /\ ‖(weighted λ rows)‖ / sum λ <= γ + ε.
Proof.
  intros N M P. split; [intros λ L; now apply margin_upper_bound |]. intros ε Q.
  destruct (within_some E rows) as [r L].
  pose proof L as [R0 _].
  (* r/√k ≤ ε/2 for k ≥ (2r/ε)² *)
  set (b := (2 * r / ε) ^ 2). set (k := S (Z.to_nat (up b))).
  assert (B : b <= INR k).
  { unfold k. rewrite S_INR. destruct (archimed b) as [U _]. assert (0 <= b) by apply pow2_ge_0.
    assert (0 <= up b)%Z by (apply le_IZR; simpl; lra). rewrite INR_IZR_INZ, Z2Nat.id by assumption. lra. }
  destruct (never_ends 1 rows γ (γ + ε / 2) k N M ltac:(lra) ltac:(lra)) as (zs & w & H & Lk).
  assert (K : count zs = INR k) by (unfold count; now rewrite Lk).
  assert (K0 : 0 < count zs) by (rewrite K; apply lt_0_INR; unfold k; lia).
  destruct (margin_upper 1 r (2 * (γ + ε / 2)) rows zs w Rlt_0_1 L ltac:(lra) H K0) as (λ & Mλ & E1 & E2).
  exists λ. split; [exact Mλ |]. rewrite E1. apply (Rle_trans _ _ _ E2).
  assert (T : 0 < sqrt (count zs)) by now apply sqrt_lt_R0.
  assert (r / sqrt (count zs) <= ε / 2); [| lra].
  apply (Rmult_le_reg_r (sqrt (count zs))); [exact T |]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra.
  assert (D : 2 * r / ε <= sqrt (count zs)).
  { rewrite K, <- (sqrt_pow2 (2 * r / ε)); [apply sqrt_le_1_alt, B |].
    apply Rmult_le_pos; [lra |]. left. now apply Rinv_0_lt_compat. }
  apply (Rmult_le_compat_l (ε / 2)) in D; [| lra]. replace (ε / 2 * (2 * r / ε)) with r in D by (field; lra). lra.
Qed.
End Duality.
