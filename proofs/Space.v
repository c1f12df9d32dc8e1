(** Real inner product spaces, which all other files share.

    The theorems use only the laws below, so they hold in every space that has them:
    in Linear space, in Affine space, and for the stacked weights of several classes.
    A vector v with ⟨v, v⟩ = 0 need not be the zero vector. No proof needs that. *)

Require Export Reals List.
Require Import Lra Psatz.
Export ListNotations.
Open Scope R_scope.

Record space := {
  vector :> Type;
  zero : vector;
  add : vector -> vector -> vector;
  scale : R -> vector -> vector;
  inner : vector -> vector -> R;
  inner_sym : forall u v, inner u v = inner v u;
  inner_zero : forall v, inner zero v = 0;
  inner_add : forall u v w, inner (add u v) w = inner u w + inner v w;
  inner_scale : forall c v w, inner (scale c v) w = c * inner v w;
  inner_nonneg : forall v, 0 <= inner v v
}.

Arguments zero {s}.
Arguments add {s}.
Arguments scale {s}.
Arguments inner {s}.

Definition norm {E : space} (v : E) := sqrt (inner v v).
Definition total {E : space} (zs : list E) : E := fold_right add zero zs.

Notation "⟨ u , v ⟩" := (inner u v) (at level 0, format "⟨ u ,  v ⟩").
Notation "‖ v ‖" := (norm v) (at level 0, v at level 9, format "‖ v ‖").
Notation "u ⊕ v" := (add u v) (at level 50, left associativity).
Notation "c · v" := (scale c v) (at level 40, left associativity).

(** Σ cᵢzᵢ and Σ cᵢ. *)
Fixpoint weighted {E : space} (c : list R) (zs : list E) : E := match c, zs with
  | a :: c, z :: zs => a · z ⊕ weighted c zs
  | _, _ => zero
  end.
Definition sum (c : list R) := fold_right Rplus 0 c.

(** The number of updates, k in the papers. *)
Definition count {A} (zs : list A) := INR (length zs).

Lemma count_nil A : count (@nil A) = 0.
Proof. reflexivity. Qed.

Lemma count_cons A (z : A) zs : count (z :: zs) = count zs + 1.
Proof. apply S_INR. Qed.

Lemma count_app A (xs zs : list A) : count (xs ++ zs) = count xs + count zs.
Proof. unfold count. now rewrite app_length, plus_INR. Qed.

Lemma count_nonneg A (zs : list A) : 0 <= count zs.
Proof. apply pos_INR. Qed.

Section Laws.
Variable E : space.
Implicit Types (u v w : E) (c : R).

Lemma inner_zero_r v : ⟨v, zero⟩ = 0.
Proof. rewrite inner_sym. apply inner_zero. Qed.

Lemma inner_add_r u v w : ⟨u, v ⊕ w⟩ = ⟨u, v⟩ + ⟨u, w⟩.
Proof. now rewrite inner_sym, inner_add, (inner_sym _ v), (inner_sym _ w). Qed.

Lemma inner_scale_r c v w : ⟨v, c · w⟩ = c * ⟨v, w⟩.
Proof. now rewrite inner_sym, inner_scale, inner_sym. Qed.

Lemma norm_square v : ‖v‖ ^ 2 = ⟨v, v⟩.
Proof. unfold norm. rewrite <- Rsqr_pow2. apply Rsqr_sqrt, inner_nonneg. Qed.

Lemma norm_nonneg v : 0 <= ‖v‖.
Proof. apply sqrt_pos. Qed.

Lemma norm_zero : ‖(zero : E)‖ = 0.
Proof. unfold norm. now rewrite inner_zero, sqrt_0. Qed.

Lemma norm_at_most v c : 0 <= c -> ⟨v, v⟩ <= c ^ 2 -> ‖v‖ <= c.
Proof. intros. pose proof (norm_square v). pose proof (norm_nonneg v). nra. Qed.

(** ‖u + cv‖² = ‖u‖² + 2c⟨u, v⟩ + c²‖v‖², which every proof uses. *)
Lemma square_add u c v : ⟨u ⊕ c · v, u ⊕ c · v⟩ = ⟨u, u⟩ + 2 * c * ⟨u, v⟩ + c ^ 2 * ⟨v, v⟩.
Proof.
  rewrite inner_add, !inner_add_r, !inner_scale, !inner_scale_r, (inner_sym _ v u). ring.
Qed.

Theorem cauchy_schwarz u v : ⟨u, v⟩ ^ 2 <= ⟨u, u⟩ * ⟨v, v⟩.
Proof.
  assert (P : forall c, 0 <= ⟨v, v⟩ + 2 * c * ⟨v, u⟩ + c ^ 2 * ⟨u, u⟩).
  { intros c. rewrite <- square_add. apply inner_nonneg. }
  rewrite (inner_sym _ v u) in P. pose proof (inner_nonneg _ u) as N.
  destruct (Req_dec ⟨u, u⟩ 0) as [Z | Z].
  - rewrite Z in *. destruct (Req_dec ⟨u, v⟩ 0) as [-> | D]; [lra |].
    specialize (P (- (⟨v, v⟩ + 1) / (2 * ⟨u, v⟩))).
    replace (2 * _ * _) with (- (⟨v, v⟩ + 1)) in P by (now field). lra.
  - specialize (P (- ⟨u, v⟩ / ⟨u, u⟩)).
    replace (_ + _ + _) with ((⟨u, u⟩ * ⟨v, v⟩ - ⟨u, v⟩ ^ 2) / ⟨u, u⟩) in P by (now field).
    apply (Rmult_le_compat_r ⟨u, u⟩) in P; [| exact N].
    unfold Rdiv in P. rewrite Rmult_assoc, Rinv_l in P; lra.
Qed.

Lemma inner_at_most u v : ⟨u, v⟩ <= ‖u‖ * ‖v‖.
Proof.
  pose proof (cauchy_schwarz u v) as C. rewrite <- !norm_square in C.
  pose proof (Rmult_le_pos _ _ (norm_nonneg u) (norm_nonneg v)). nra.
Qed.

Lemma inner_at_least u v : - (‖u‖ * ‖v‖) <= ⟨u, v⟩.
Proof.
  pose proof (cauchy_schwarz u v) as C. rewrite <- !norm_square in C.
  pose proof (Rmult_le_pos _ _ (norm_nonneg u) (norm_nonneg v)). nra.
Qed.

Lemma inner_total u zs : ⟨u, total zs⟩ = fold_right Rplus 0 (map (inner u) zs).
Proof. induction zs; simpl; [apply inner_zero_r |]. now rewrite inner_add_r, IHzs. Qed.

Lemma total_app u xs zs : ⟨u, total (xs ++ zs)⟩ = ⟨u, total xs⟩ + ⟨u, total zs⟩.
Proof.
  induction xs; simpl; [| rewrite !inner_add_r, IHxs]; rewrite ?inner_zero_r; ring.
Qed.
End Laws.

(** All bounds follow from this one: a length grows by at least g at each of k steps,
    its square by at most B, and it begins at W. *)
Lemma growth_bound k g B W : 0 < g -> 0 <= k -> 0 <= W -> 0 <= B ->
  k * g - W <= sqrt (W ^ 2 + k * B) -> k <= B / g ^ 2 + 2 * W / g.
Proof.
  intros G K P Q L.
  assert (N : 0 <= W ^ 2 + k * B) by nra.
  pose proof (sqrt_pos (W ^ 2 + k * B)) as A.
  pose proof (sqrt_sqrt _ N) as D. set (s := sqrt _) in *.
  apply (Rmult_le_reg_r (g ^ 2)); [nra |].
  replace ((B / g ^ 2 + 2 * W / g) * g ^ 2) with (B + 2 * W * g) by (field; lra).
  destruct (Rle_lt_dec (k * g) W) as [F | F].
  - assert (k * g * g <= W * g) by nra. nra.
  - assert (S : (k * g - W) ^ 2 <= W ^ 2 + k * B) by nra.
    assert (T : k * (k * g ^ 2) <= k * (B + 2 * W * g)) by nra.
    assert (0 < k) by nra. apply (Rmult_le_reg_l k); nra.
Qed.

(** Finite sequences of reals are such a space. A sequence stands for itself followed
    by zeros, so the vectors of one dimension d are the sequences of length d. *)
Fixpoint seq_add (u v : list R) := match u, v with
  | [], _ => v
  | _, [] => u
  | a :: u, b :: v => a + b :: seq_add u v
  end.

Fixpoint seq_inner (u v : list R) := match u, v with
  | a :: u, b :: v => a * b + seq_inner u v
  | _, _ => 0
  end.

Lemma seq_sym u v : seq_inner u v = seq_inner v u.
Proof. revert v. induction u; destruct v; simpl; rewrite ?IHu; ring. Qed.

Lemma seq_inner_add u v w : seq_inner (seq_add u v) w = seq_inner u w + seq_inner v w.
Proof. revert v w. induction u; destruct v, w; simpl; rewrite ?IHu; ring. Qed.

Lemma seq_inner_scale c v w : seq_inner (map (Rmult c) v) w = c * seq_inner v w.
Proof. revert w. induction v; destruct w; simpl; rewrite ?IHv; ring. Qed.

Lemma seq_nonneg v : 0 <= seq_inner v v.
Proof. induction v; simpl; nra. Qed.

Definition sequences : space := {|
  vector := list R; zero := []; add := seq_add; inner := seq_inner;
  scale := fun c => map (Rmult c);
  inner_sym := seq_sym; inner_zero := fun v => eq_refl; inner_add := seq_inner_add;
  inner_scale := seq_inner_scale; inner_nonneg := seq_nonneg
|}.

(** The zero vector is the only one of length 0: the law that the record leaves out. *)
Lemma sequences_definite (v : sequences) : ⟨v, v⟩ = 0 -> forall i, nth i v 0 = 0.
Proof.
  simpl. induction v as [| a v IH]; simpl; intros Z i.
  - now destruct i.
  - pose proof (seq_nonneg v). assert (a = 0) by nra. subst. destruct i; [easy |]. apply IH. lra.
Qed.

(** Affine space: (x, 1) for x and (w, b) for w, with the last coordinate in front. *)
Definition affine (a : R) (v : list R) : sequences := a :: v.

Theorem affine_score b w x : ⟨affine b w, affine 1 x⟩ = seq_inner w x + b.
Proof. simpl. ring. Qed.

Theorem affine_square x : ⟨affine 1 x, affine 1 x⟩ = seq_inner x x + 1.
Proof. simpl. ring. Qed.

Theorem affine_update b w η y x :
  affine b w ⊕ η · (y · affine 1 x) = affine (b + η * y) (seq_add w (map (Rmult η) (map (Rmult y) x))).
Proof. unfold affine. simpl. now rewrite Rmult_1_r. Qed.
