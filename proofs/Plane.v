(** Novikoff's theorem in the plane, for lines through the origin: at most ⌊(R/γ)²/2⌋ + 1 mistakes,
    and three rows reach that number. *)

From Perceptron Require Import Space Online.
Require Import Lra Psatz.

Definition plane : space.
Proof.
  refine {|
    vector := R * R; zero := (0, 0); add := fun u v => (fst u + fst v, snd u + snd v);
    scale := fun c v => (c * fst v, c * snd v); inner := fun u v => fst u * fst v + snd u * snd v
  |}; intros; cbn [fst snd]; try ring.
  pose proof (pow2_ge_0 (fst v)). pose proof (pow2_ge_0 (snd v)). nra.
Defined.

(** A quarter turn. With a unit vector u it gives coordinates: across, and along u. *)
Definition turned (u : plane) : plane := (- snd u, fst u).

Lemma across_and_along (u v w : plane) : ‖u‖ = 1 -> ⟨v, w⟩ = ⟨turned u, v⟩ * ⟨turned u, w⟩ + ⟨u, v⟩ * ⟨u, w⟩.
Proof.
  intros U. assert (N : ⟨u, u⟩ = 1) by (rewrite <- norm_square, U; ring). cbn in *.
  replace (fst v * fst w + snd v * snd w) with ((fst u * fst u + snd u * snd u) * (fst v * fst w + snd v * snd w)) by (rewrite N; ring). ring.
Qed.

Section Plane.
Variables (η : R) (data : plane -> Prop) (u : plane) (γ r : R).
Hypothesis η_positive : 0 < η.
Hypothesis γ_positive : 0 < γ.
Hypothesis unit : ‖u‖ = 1.
Hypothesis right : forall z, data z -> γ <= ⟨u, z⟩.
Hypothesis radius : within data r.
Notation across v := ⟨turned u, v⟩.

Lemma row_across z : data z -> across z ^ 2 <= r ^ 2 - γ ^ 2.
Proof.
  intros D. destruct radius as [_ L]. pose proof (L z D) as N. pose proof (right z D).
  pose proof (across_and_along u z z unit) as S. rewrite <- norm_square in S. pose proof (norm_nonneg _ z).
  assert (‖z‖ ^ 2 <= r ^ 2) by (apply pow_incr; lra). assert (γ ^ 2 <= ⟨u, z⟩ ^ 2) by (apply pow_incr; lra). nra.
Qed.

(** With A² = R² − γ², a mistake needs Kγ² ≤ |x|A of w = η(x, h) after K updates, and leaves |x|A ≤ A² − Kγ². *)
Lemma swing (A x a c k : R) : 0 <= A -> a ^ 2 <= A ^ 2 -> 0 <= k -> k * γ ^ 2 <= c -> x * a + c <= 0 ->
  Rabs x * A <= A ^ 2 - (k - 1) * γ ^ 2 -> 1 <= k ->
  k * γ ^ 2 <= Rabs x * A /\ Rabs (x + a) * A <= A ^ 2 - k * γ ^ 2.
Proof.
  intros P Q K C T X K1. assert (B : Rabs a <= A) by (apply Rsqr_incr_0; [rewrite <- Rsqr_abs, !Rsqr_pow2; exact Q | apply Rabs_pos | exact P]).
  assert (G : 0 < γ ^ 2) by now apply pow_lt.
  assert (M : k * γ ^ 2 <= Rabs x * Rabs a) by (rewrite <- Rabs_mult; pose proof (Rle_abs (- (x * a))) as H; rewrite Rabs_Ropp in H; lra).
  pose proof (Rabs_pos x) as X0. pose proof (Rabs_pos a) as A0.
  assert (S : k * γ ^ 2 <= Rabs x * A) by nra. split; [exact S |].
  assert (AP : 0 < A) by nra. assert (XA : Rabs x <= A) by (apply (Rmult_le_reg_r A); nra).
  assert (D : Rabs (x + a) = Rabs a - Rabs x \/ Rabs (x + a) = Rabs x - Rabs a).
  { assert (N : x * a < 0) by nra. unfold Rabs. repeat destruct Rcase_abs; (left; lra) || (right; lra) || nra. }
  destruct D as [-> | ->]; nra.
Qed.

Lemma plane_path zs w : run η data zero mistakes zs w -> zs <> [] ->
  Rabs (across w) * sqrt (r ^ 2 - γ ^ 2) <= η * (r ^ 2 - γ ^ 2 - (count zs - 1) * γ ^ 2) /\
  2 * (count zs - 1) * γ ^ 2 <= r ^ 2.
Proof.
  induction 1 as [| zs w z H IH D T]; [easy |]. intros _. pose proof (row_across z D) as Z.
  assert (N : 0 <= r ^ 2 - γ ^ 2) by (pose proof (pow2_ge_0 (across z)); lra).
  pose proof (sqrt_pos (r ^ 2 - γ ^ 2)) as P. pose proof (pow2_sqrt _ N) as Q. set (A := sqrt (r ^ 2 - γ ^ 2)) in *.
  rewrite count_cons, inner_add_r, inner_scale_r. rewrite <- Q in Z.
  destruct zs as [| y zs].
  - inversion H. rewrite count_nil, inner_zero_r. split; [| nra].
    assert (B : Rabs (across z) <= A) by (apply Rsqr_incr_0; [rewrite <- Rsqr_abs, !Rsqr_pow2; exact Z | apply Rabs_pos | exact P]).
    rewrite Rplus_0_l, Rabs_mult, (Rabs_right η) by lra. rewrite <- Q.
    assert (Rabs (across z) * A <= A ^ 2) by nra. nra.
  - destruct (IH ltac:(easy)) as [X _]. clear IH. set (k := count (y :: zs)) in *.
    assert (K : 1 <= k) by (unfold k; rewrite count_cons; pose proof (count_nonneg _ zs); lra).
    pose proof (alignment _ _ _ _ η_positive u γ _ _ _ right H) as G. rewrite inner_zero_r in G. fold k in G.
    unfold mistakes in T. rewrite (across_and_along u w z unit) in T. pose proof (right z D) as C.
    set (x := across w) in *. set (a := across z) in *.
    assert (HC : η * (k * γ ^ 2) <= ⟨u, w⟩ * ⟨u, z⟩).
    { replace (η * (k * γ ^ 2)) with (k * (η * γ) * γ) by ring. assert (0 < η * γ) by now apply Rmult_lt_0_compat. apply Rmult_le_compat; [apply Rmult_le_pos | | |]; lra. }
    destruct (swing A (x / η) a (⟨u, w⟩ * ⟨u, z⟩ / η) k) as [S1 S2]; auto; [lra | | | |].
    + apply (Rmult_le_reg_l η); [lra |]. replace (η * (⟨u, w⟩ * ⟨u, z⟩ / η)) with (⟨u, w⟩ * ⟨u, z⟩) by (field; lra). exact HC.
    + apply (Rmult_le_reg_l η); [lra |]. replace (η * (x / η * a + ⟨u, w⟩ * ⟨u, z⟩ / η)) with (x * a + ⟨u, w⟩ * ⟨u, z⟩) by (field; lra). lra.
    + unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ η)) by (left; now apply Rinv_0_lt_compat).
      apply (Rmult_le_reg_l η); [lra |]. replace (η * (Rabs x * / η * A)) with (Rabs x * A) by (field; lra). rewrite Q. exact X.
    + replace (x + η * a) with (η * (x / η + a)) by (field; lra). rewrite Rabs_mult, (Rabs_right η) by lra.
      rewrite <- Q. split; [nra |].
      unfold Rdiv in S1. rewrite Rabs_mult, (Rabs_right (/ η)) in S1 by (left; now apply Rinv_0_lt_compat).
      assert (k * γ ^ 2 <= A ^ 2 - (k - 1) * γ ^ 2); [| nra].
      apply (Rle_trans _ _ _ S1). apply (Rmult_le_reg_l η); [lra |].
      replace (η * (Rabs x * / η * A)) with (Rabs x * A) by (field; lra). rewrite Q. exact X.
Qed.
End Plane.

(** k is a whole number, so k ≤ ⌊(R/γ)²/2⌋ + 1. *)
Theorem plane_bound η data (u : plane) γ r zs w : 0 < η -> separates data u γ -> within data r ->
  run η data zero mistakes zs w -> count zs <= (r / γ) ^ 2 / 2 + 1.
Proof.
  intros P [G S] L H. apply unit_margin in S as (v & V & M). assert (I : 0 <= (r / γ) ^ 2) by apply pow2_ge_0.
  destruct zs as [| z zs]; [rewrite count_nil; lra |].
  destruct (plane_path η data v γ r P G V M L _ w H ltac:(easy)) as [_ B].
  apply (Rmult_le_reg_r (2 * γ ^ 2)); [apply Rmult_lt_0_compat; [lra | now apply pow_lt] |].
  replace (((r / γ) ^ 2 / 2 + 1) * (2 * γ ^ 2)) with (r ^ 2 + 2 * γ ^ 2) by (field; lra). lra.
Qed.

(** ** Three rows reach it: (p, γ), (−A, γ) and (A, γ). After k updates w is (±p, kγ) or (∓(A − p), kγ). *)
Section Attained.
Variables (γ r : R) (K : nat).
Hypothesis γ_positive : 0 < γ.
Hypothesis longer : γ <= r.
Hypothesis within_bound : INR K <= (r / γ) ^ 2 / 2.
Definition A := sqrt (r ^ 2 - γ ^ 2).
(** p is |x| after an odd number of updates, A − p after an even one. *)
Definition p := if Nat.odd K then INR K * γ ^ 2 / A else A - INR K * γ ^ 2 / A.
Definition side (k : nat) : R := if Nat.odd k then - A else A.
Definition three_rows : list plane := [(p, γ); (- A, γ); (A, γ)].
Definition place (k : nat) : plane := ((if Nat.odd k then p else - (A - p)), INR k * γ).
Fixpoint turns (k : nat) : list plane := match k with O => [(p, γ)] | S j => (side k, γ) :: turns j end.

Lemma A_square : A ^ 2 = r ^ 2 - γ ^ 2.
Proof. apply pow2_sqrt. nra. Qed.

Lemma enough : 2 * INR K * γ ^ 2 <= r ^ 2.
Proof.
  apply (Rmult_le_compat_r (2 * γ ^ 2)) in within_bound; [| pose proof (pow2_ge_0 γ); lra].
  replace ((r / γ) ^ 2 / 2 * (2 * γ ^ 2)) with (r ^ 2) in within_bound by (field; lra). lra.
Qed.

Lemma p_between : (0 < K)%nat -> 0 < A /\ 0 <= p <= A /\ forall k, (k <= K)%nat -> INR k * γ ^ 2 <= (if Nat.odd k then p else A - p) * A.
Proof.
  intros P. pose proof A_square as Q. pose proof enough as B. assert (G : 0 < γ ^ 2) by now apply pow_lt.
  assert (K1 : 1 <= INR K) by (apply (le_INR 1); lia).
  assert (AP : 0 < A) by (apply sqrt_lt_R0; nra). split; [exact AP |].
  assert (T : INR K * γ ^ 2 / A * A = INR K * γ ^ 2) by (field; lra).
  assert (U : 0 <= INR K * γ ^ 2 / A <= A).
  { split; [apply Rmult_le_pos; [nra | left; now apply Rinv_0_lt_compat] | apply (Rmult_le_reg_r A); nra]. }
  split; [unfold p; destruct (Nat.odd K); lra |].
  intros k L. apply le_INR in L as LR. unfold p.
  destruct (Nat.odd k) eqn:Ok, (Nat.odd K) eqn:OK; try nra;
    (assert (k <> K) by congruence; assert (S k <= K)%nat as LS by lia; apply le_INR in LS; rewrite S_INR in LS; nra).
Qed.

Lemma turns_run η k : 0 < η -> (k <= K)%nat ->
  run η (data_of three_rows) (zero : plane) mistakes (turns k) (η · place (S k) : plane).
Proof.
  intros P. induction k as [| k IH]; intros L.
  - replace (η · place 1 : plane) with ((zero : plane) ⊕ η · ((p, γ) : plane)) by (cbn; f_equal; ring).
    constructor; [constructor | now left |]. unfold mistakes. rewrite inner_zero. lra.
  - specialize (IH ltac:(lia)). destruct (p_between ltac:(lia)) as (AP & _ & Q). specialize (Q (S k) L). cbn [turns].
    replace (η · place (S (S k)) : plane) with ((η · place (S k) : plane) ⊕ η · ((side (S k), γ) : plane)).
    + constructor; [exact IH | unfold side; destruct (Nat.odd (S k)); cbn; auto |].
      unfold mistakes. rewrite inner_scale. assert (C : ⟨(place (S k) : plane), ((side (S k), γ) : plane)⟩ <= 0); [| nra].
      unfold place, side. cbn [inner plane fst snd]. destruct (Nat.odd (S k)); lra.
    + unfold place, side. rewrite (Nat.odd_succ (S k)), <- Nat.negb_odd. rewrite (S_INR (S k)).
      destruct (Nat.odd (S k)); cbn; f_equal; ring.
Qed.

Lemma count_turns k : count (turns k) = INR k + 1.
Proof. unfold count. induction k as [| k IH]; [simpl; lra |]. cbn [turns length] in *. rewrite S_INR, IH, S_INR. lra. Qed.

Theorem plane_attained η : 0 < η -> exists zs w,
  separates (data_of three_rows) ((0, 1) : plane) γ /\ within (data_of three_rows) r /\
  run η (data_of three_rows) zero mistakes zs w /\ count zs = INR K + 1.
Proof.
  intros P. exists (turns K), (η · place (S K)). pose proof A_square as Q. assert (N : 0 <= A) by apply sqrt_pos.
  assert (B : 0 <= p <= A).
  { destruct (Nat.eq_dec K 0) as [Z |]; [unfold p; rewrite Z; cbn; unfold Rdiv; lra | apply p_between; lia]. }
  split; [split; [exact γ_positive |] | split; [split; [lra |] | split; [now apply turns_run | apply count_turns]]].
  - assert (U : ‖((0, 1) : plane)‖ = 1) by (unfold norm; cbn; rewrite <- sqrt_1 at 3; f_equal; ring).
    unfold has_margin. rewrite U. split; [lra |]. intros z [<- | [<- | [<- | []]]]; cbn; lra.
  - assert (S : forall a, a ^ 2 <= A ^ 2 -> ‖((a, γ) : plane)‖ <= r) by (intros a H; apply norm_at_most; cbn in *; lra).
    intros z [<- | [<- | [<- | []]]]; apply S; nra.
Qed.
End Attained.
