(** At most d + 1 rows prove that no hyperplane separates the data (Carathéodory 1911). *)

From Perceptron Require Import Space Online Separation Support.
Require Import Lra Lia.

Definition lift (z : sequences) : sequences := affine 1 z.

Lemma weighted_lift (λ : list R) (zs : list sequences) : length λ = length zs -> zs <> [] ->
  weighted λ (map lift zs) = affine (sum λ) (weighted λ zs).
Proof.
  revert zs. induction λ as [| a λ IH]; intros [| z zs] L N; try easy. cbn [map weighted].
  destruct zs as [| y zs].
  - destruct λ; [| discriminate]. unfold affine, lift, sum. simpl. f_equal; [ring | now destruct z].
  - rewrite (IH (y :: zs)) by (try easy; now apply eq_add_S). unfold affine, lift, sum. simpl. f_equal. ring.
Qed.

Theorem few_contradict (d : nat) (rows : list sequences) λ : (forall z, In z rows -> (length z <= d)%nat) ->
  multipliers sequences rows λ -> ‖(weighted λ rows)‖ = 0 -> exists zs μ, (length zs <= S d)%nat /\
    (forall z, In z zs -> In z rows) /\ multipliers sequences zs μ /\ ‖(weighted μ zs)‖ = 0.
Proof.
  intros D (L & N & P) Z.
  assert (sizes : forall (l : list R) (zs : list sequences), length l = length zs -> 0 < sum l -> zs <> []).
  { intros l zs Q S ->. destruct l; [unfold sum in S; simpl in S; lra | discriminate]. }
  assert (square : forall (l : list R) (zs : list sequences), length l = length zs -> 0 < sum l ->
    ‖(weighted l (map lift zs))‖ ^ 2 = sum l ^ 2 + ‖(weighted l zs)‖ ^ 2).
  { intros l zs Q S. rewrite (weighted_lift l zs Q (sizes l zs Q S)), !norm_square. unfold affine. simpl. ring. }
  destruct (few_rows (S d) (map lift rows) (affine 1 [])) with (λ := λ) as (zs' & μ & A & B & (Lμ & Nμ & Pμ) & C).
  - intros z I. apply in_map_iff in I as (x & <- & I). simpl. specialize (D x I). lia.
  - intros z I. apply in_map_iff in I as (x & <- & I). unfold lift, affine. simpl. lra.
  - split; [now rewrite map_length | now split].
  - set (zs := map (@tl R) zs' : list sequences).
    assert (Q : zs' = map lift zs).
    { unfold zs. rewrite map_map. rewrite <- (map_id zs') at 1. apply map_ext_in. intros z I. apply B in I.
      apply in_map_iff in I as (x & <- & _). reflexivity. }
    assert (Lz : length zs = length zs') by apply map_length.
    exists zs, μ. split; [lia |]. split; [| split; [split; [congruence | now split] |]].
    + intros z I. assert (J : In (lift z) zs') by (rewrite Q; now apply in_map). apply B in J.
      apply in_map_iff in J as (x & E & J). unfold lift, affine in E. now injection E as ->.
    + rewrite Q in C. pose proof (square μ zs (eq_trans Lμ (eq_sym Lz)) Pμ) as S1. pose proof (square λ rows L P) as S2.
      rewrite Z in S2. pose proof (norm_nonneg _ (weighted λ (map lift rows))). pose proof (norm_nonneg _ (weighted μ (map lift zs))).
      pose proof (norm_nonneg _ (weighted μ zs)).
      assert (E : ‖(weighted λ (map lift rows))‖ = sum λ) by nra. rewrite E in C.
      replace (sum λ / sum λ) with 1 in C by (field; lra).
      apply (Rmult_le_compat_r (sum μ)) in C; [| lra]. unfold Rdiv in C. rewrite Rmult_assoc, Rinv_l in C by lra. nra.
Qed.
