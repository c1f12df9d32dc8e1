(** Some λ attains the least ‖Σλz‖/Σλ, which is the margin γ of the data if γ ≥ 0. *)

From Perceptron Require Import Space Online Threshold Separation Gordan Attained Convergence.
Require Import Lra Psatz.

Lemma weighted_shift (E : space) (p v : E) λ zs : length λ = length zs ->
  ⟨v, weighted λ (map (fun z => z ⊕ -1 · p) zs)⟩ = ⟨v, weighted λ zs⟩ - sum λ * ⟨v, p⟩.
Proof.
  revert zs. induction λ as [| a λ IH]; intros [| z zs] L; try discriminate; unfold sum in *; simpl; [rewrite !inner_zero_r; ring |].
  rewrite !inner_add_r, !inner_scale_r, IH, inner_add_r, inner_scale_r by (simpl in L; congruence). ring.
Qed.

(** If w has the margin γ > 0, no larger one exists, then γ is ‖Σλz‖/Σλ for some λ. *)
Lemma attained_by_multipliers (E : space) (rows : list E) w γ : rows <> [] -> 0 < γ -> margin E rows γ ->
  has_margin (data_of rows) w γ -> exists λ, multipliers E rows λ /\ ‖(weighted λ rows)‖ / sum λ = γ.
Proof.
  intros N P M W. pose proof W as W'. apply unit_margin in W as (u & U & A). clear W'.
  set (p := γ · u). destruct (gordan E (map (fun z => z ⊕ -1 · p) rows)) as [[[v V] | (λ & L & Z)] _].
  - exfalso. destruct (least_score E v (map (fun z => z ⊕ -1 · p) rows)) as (c & C & B); [exact V |].
    set (q := ⟨v, v⟩). assert (Q : 0 <= q) by apply inner_nonneg.
    set (t := c / (γ * (1 + q))). assert (T : 0 < t) by (apply Rdiv_lt_0_compat; nra).
    assert (Tc : t * (γ * (1 + q)) = c) by (unfold t; field; nra).
    set (x := u ⊕ t · v). set (s := ⟨u, v⟩).
    assert (Sx : ⟨x, x⟩ = 1 + 2 * t * s + t ^ 2 * q).
    { unfold x. rewrite square_add, <- (norm_square _ u), U. fold s q. ring. }
    (* every row: ⟨x, z⟩ ≥ γ + t(γs + c) *)
    assert (R : forall z, In z rows -> γ + t * (γ * s + c) <= ⟨x, z⟩).
    { intros z I. specialize (A z I). specialize (B _ (in_map _ _ _ I)). cbv beta in B. rewrite inner_add_r, inner_scale_r in B.
      unfold p in B. rewrite inner_scale_r, (inner_sym _ v u) in B. fold s in B. unfold x. rewrite inner_add, inner_scale. nra. }
    pose proof (norm_square _ x) as Nx. rewrite Sx in Nx. pose proof (norm_nonneg _ x) as N0.
    assert (H : ‖x‖ <= 1 + t * s + t ^ 2 * q / 2) by (assert (0 <= (‖x‖ - 1) ^ 2) by apply pow2_ge_0; nra).
    assert (D : γ * ‖x‖ < γ + t * (γ * s + c)).
    { assert (γ * ‖x‖ <= γ * (1 + t * s + t ^ 2 * q / 2)) by (apply Rmult_le_compat_l; lra).
      assert (γ * (t ^ 2 * q / 2) < t * c) by (rewrite <- Tc; assert (0 < t ^ 2) by nra; nra). nra. }
    destruct rows as [| z0 l]; [easy |]. assert (I0 : In z0 (z0 :: l)) by now left.
    assert (X : 0 < ‖x‖) by (apply (norm_positive _ x z0); specialize (R z0 I0); nra).
    assert (G : (γ + t * (γ * s + c)) / ‖x‖ <= γ).
    { apply M. exists x. split; [exact X |]. intros z I. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_r. now apply R. }
    apply (Rmult_le_compat_r ‖x‖) in G; [| lra]. unfold Rdiv in G. rewrite Rmult_assoc, Rinv_l in G by lra. lra.
  - destruct L as (L & F & S). rewrite map_length in L. exists λ. split; [now split |].
    assert (V : forall v, ⟨v, weighted λ rows⟩ = sum λ * γ * ⟨v, u⟩).
    { intros v. specialize (Z v). rewrite weighted_shift in Z by exact L. unfold p in Z. rewrite inner_scale_r in Z. lra. }
    assert (Y : ‖(weighted λ rows)‖ = sum λ * γ).
    { unfold norm. rewrite V, inner_sym, V, <- (norm_square _ u), U. replace (sum λ * γ * (sum λ * γ * 1 ^ 2)) with ((sum λ * γ) ^ 2) by ring.
      apply sqrt_pow2. nra. }
    rewrite Y. field. lra.
Qed.

Theorem duality_attained (rows : list sequences) γ : rows <> [] -> margin sequences rows γ -> 0 <= γ ->
  exists λ, multipliers sequences rows λ /\ ‖(weighted λ rows)‖ / sum λ = γ.
Proof.
  intros N M P. destruct (Rle_lt_or_eq_dec 0 γ P) as [G | <-].
  - set (d := fold_right max 0%nat (map (@length R) rows)).
    assert (D : forall z, In z rows -> (length z <= d)%nat).
    { unfold d. clear. induction rows as [| x l IH]; intros z; [easy |]. intros [<- | I]; simpl; [apply Nat.le_max_l |].
      apply (Nat.le_trans _ _ _ (IH z I)), Nat.le_max_r. }
    destruct (margin_attained rows d γ N D G M) as [w W]. now apply (attained_by_multipliers _ rows w γ).
  - destruct (gordan sequences rows) as [[[w W] | (λ & L & Z)] _].
    + exfalso. destruct rows as [| z l]; [easy |]. destruct (separates_some _ (z :: l) w z (or_introl eq_refl) W) as (g & P' & S).
      assert (g <= 0) by (apply M; now exists w). lra.
    + exists λ. split; [exact L |]. unfold norm. rewrite Z, sqrt_0. destruct L as (_ & _ & S). field. lra.
Qed.
