(** Waves: the length of a mapped row is known before any row is seen, and so is the bound on
    mistakes. *)

From Perceptron Require Import Space Online.
Require Import Lra Psatz.

(** A pair of waves of height h, for an angle whose distance from the nearest integer is s. The
    second is the first a quarter of a period later: it has the sign of s. *)
Definition first s := 1 - 4 * Rabs s.
Definition second s := if Rle_dec 0 s then 1 - Rabs (first s) else - (1 - Rabs (first s)).
Definition pair h s := [h * first s; h * second s].

(** n waves: pairs one after another, and perhaps the first of one more pair. *)
Definition waves n h ss := firstn n (flat_map (pair h) ss).
Definition mapped d n h (z ss : list R) := map (Rmult (/ sqrt d)) z ++ waves n h ss.

Theorem pair_square s : - (1 / 2) <= s <= 1 / 2 -> 1 / 2 <= first s ^ 2 + second s ^ 2 <= 1.
Proof.
  intros B. set (p := Rabs (first s)).
  assert (P : 0 <= p <= 1).
  { split; [apply Rabs_pos |]. apply Rabs_le. unfold first.
    assert (0 <= Rabs s <= 1 / 2) by (split; [apply Rabs_pos | now apply Rabs_le]). split; lra. }
  assert (F : first s ^ 2 = p ^ 2) by (unfold p; now rewrite pow2_abs).
  assert (S : second s ^ 2 = (1 - p) ^ 2) by (unfold second; fold p; destruct (Rle_dec 0 s); ring).
  rewrite F, S. pose proof (pow2_ge_0 (2 * p - 1)). split; nra.
Qed.

Lemma seq_inner_app u v x y : length u = length x -> seq_inner (u ++ v) (x ++ y) = seq_inner u x + seq_inner v y.
Proof.
  revert x. induction u as [| a u IH]; intros [| b x] L; try discriminate; simpl; [lra |].
  injection L as L. rewrite (IH _ L). lra.
Qed.

Lemma firstn_square n v : seq_inner (firstn n v) (firstn n v) <= seq_inner v v.
Proof.
  revert n. induction v as [| a v IH]; intros [| n]; simpl; [lra | lra | | specialize (IH n); lra].
  pose proof (seq_nonneg v). nra.
Qed.

Lemma waves_square n h ss : Forall (fun s => - (1 / 2) <= s <= 1 / 2) ss ->
  seq_inner (waves n h ss) (waves n h ss) <= count ss * h ^ 2.
Proof.
  intros F. apply (Rle_trans _ _ _ (firstn_square _ _)). induction F as [| s ss B _ IH]; simpl; [rewrite count_nil; lra |].
  rewrite count_cons. pose proof (pair_square s B). pose proof (pow2_ge_0 h). nra.
Qed.

(** ‖φ(z)‖² ≤ ‖z‖²/d + pairs·h². With h² = 2/n this is at most ‖z‖²/d + 1 for an even n, and
    ‖z‖²/d + 1 + 1/n for an odd one. *)
Theorem mapped_square d n h z ss : 0 < d -> Forall (fun s => - (1 / 2) <= s <= 1 / 2) ss ->
  seq_inner (mapped d n h z ss) (mapped d n h z ss) <= seq_inner z z / d + count ss * h ^ 2.
Proof.
  intros D F. unfold mapped. rewrite seq_inner_app by reflexivity.
  rewrite seq_inner_scale, seq_sym, seq_inner_scale. pose proof (waves_square n h ss F).
  assert (Q : / sqrt d * (/ sqrt d * seq_inner z z) = seq_inner z z / d).
  { rewrite <- (sqrt_sqrt d) at 3 by lra. pose proof (sqrt_lt_R0 d D). field. lra. }
  lra.
Qed.

(** Rosenblatt's rule in Affine space, on rows that waves have mapped: with n waves, n even, the bound
    is known up to γ when Σz² ≤ X for every row. *)
Theorem waves_mistakes η d n X (data : sequences -> Prop) (u : sequences) γ zs w : 0 < η -> 0 < d -> 0 <= X -> (0 < n)%nat ->
  (forall x, data x -> exists y z ss, x = y · affine 1 (mapped d (2 * n) (sqrt (/ INR n)) z ss) /\ y ^ 2 = 1 /\
    length ss = n /\ Forall (fun s => - (1 / 2) <= s <= 1 / 2) ss /\ seq_inner z z <= X) ->
  separates data u γ -> run η data zero mistakes zs w -> count zs <= (2 + X / d) / γ ^ 2.
Proof.
  intros A D P N M S H.
  assert (C : 0 <= X / d) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  assert (L : within data (sqrt (2 + X / d))).
  { split; [apply sqrt_pos |]. intros x I. destruct (M x I) as (y & z & ss & -> & Y & K & F & Z).
    apply norm_at_most; [apply sqrt_pos |]. rewrite pow2_sqrt by lra.
    rewrite inner_scale, inner_scale_r, affine_square.
    pose proof (mapped_square d (2 * n) (sqrt (/ INR n)) z ss D F) as Q.
    assert (J : 0 < INR n) by now apply lt_0_INR.
    assert (I1 : 0 < / INR n) by now apply Rinv_0_lt_compat.
    rewrite pow2_sqrt in Q by lra. unfold count in Q. rewrite K, Rinv_r in Q by lra.
    assert (seq_inner z z / d <= X / d) by (apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact Z]).
    nra. }
  pose proof (novikoff sequences η data A u γ _ zs w S L H) as B.
  destruct S as [G _]. replace ((2 + X / d) / γ ^ 2) with ((sqrt (2 + X / d) / γ) ^ 2); [exact B |].
  unfold Rdiv at 1. rewrite Rpow_mult_distr, pow2_sqrt by lra. field. lra.
Qed.
