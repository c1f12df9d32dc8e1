(** The weights of a run stay bounded, separable data or not (Minsky & Papert 1969; Block &
    Levin 1970), if the thresholds are. The proof is this package's. It projects rows out one
    after another. A list of rows may be small in w: what they span has a small part of w.
    Then the part outside it, with the limit of the small part, is at most as long as all of
    the weights could become. No update raises the largest of these lengths. *)

From Perceptron Require Import Space Online.
Require Import Lra Psatz Lia.

(** A list of finitely many rows, none longer than some limit, has finitely many lists. *)
Lemma bounded_on_lists A (l : list A) (f : list A -> R) n :
  exists b, forall zs, (forall z, In z zs -> In z l) -> (length zs <= n)%nat -> f zs <= b.
Proof.
  revert f. induction n as [| n IH]; intros f.
  - exists (f []). intros [| z zs] _ L; [apply Rle_refl | simpl in L; lia].
  - assert (B : exists b, forall z, In z l -> forall zs, (forall y, In y zs -> In y l) -> (length zs <= n)%nat -> f (z :: zs) <= b).
    { clear -IH. set (l0 := l) in IH |- * at 2. clearbody l0.
      induction l as [| z l (b & B)]; [now exists 0 |]. destruct (IH (fun zs => f (z :: zs))) as (c & C).
      exists (Rmax b c). intros y [<- | I] zs J L; [apply (Rle_trans _ c), Rmax_r | apply (Rle_trans _ b), Rmax_l]; auto. }
    destruct B as (b & B). exists (Rmax b (f [])). intros [| z zs] I L; [apply Rmax_r |].
    apply (Rle_trans _ b), Rmax_l. apply B; [apply I; now left | intros y J; apply I; now right | simpl in L; lia].
Qed.

Section Bounded.
Variable E : space.
Implicit Types (u v w z : E) (zs : list E).

(** ** What is left of the inner product when the rows zs are projected out *)
Fixpoint left_inner zs u v : R := match zs with
  | [] => ⟨u, v⟩
  | z :: zs => left_inner zs u v - left_inner zs u z * left_inner zs v z / left_inner zs z z
  end.

(** A form with the laws of an inner product obeys that of Cauchy and Schwarz. *)
Definition form (f : E -> E -> R) := (forall u v, f u v = f v u) /\ (forall v, f zero v = 0) /\
  (forall u v w, f (u ⊕ v) w = f u w + f v w) /\ (forall c v w, f (c · v) w = c * f v w) /\ forall v, 0 <= f v v.

Definition space_of f (F : form f) : space := {|
  vector := E; zero := zero; add := add; scale := scale; inner := f; inner_sym := proj1 F; inner_zero := proj1 (proj2 F);
  inner_add := proj1 (proj2 (proj2 F)); inner_scale := proj1 (proj2 (proj2 (proj2 F))); inner_nonneg := proj2 (proj2 (proj2 (proj2 F)))
|}.

Lemma form_schwarz f u v : form f -> f u v ^ 2 <= f u u * f v v.
Proof. intros F. apply (cauchy_schwarz (space_of f F)). Qed.

Lemma form_null f u v : form f -> f v v = 0 -> f u v = 0.
Proof. intros F N. pose proof (form_schwarz f u v F). rewrite N in *. nra. Qed.

Lemma form_step f c u v : form f -> f (u ⊕ c · v) (u ⊕ c · v) = f u u + 2 * c * f u v + c ^ 2 * f v v.
Proof. intros F. apply (square_add (space_of f F)). Qed.

(** |f(u, v)| ≤ pr, if ‖u‖ ≤ p and ‖v‖ ≤ r in the form's norm. *)
Lemma form_at_most f u v p r : form f -> 0 <= p -> 0 <= r -> f u u <= p ^ 2 -> f v v <= r ^ 2 -> - (p * r) <= f u v <= p * r.
Proof.
  intros F P Q A B. pose proof (form_schwarz f u v F). pose proof (proj2 (proj2 (proj2 (proj2 F))) u).
  pose proof (proj2 (proj2 (proj2 (proj2 F))) v).
  assert (f u u * f v v <= p ^ 2 * r ^ 2) by (apply Rmult_le_compat; lra). assert (0 <= p * r) by nra.
  split; nra.
Qed.

Lemma left_form zs : form (left_inner zs).
Proof.
  induction zs as [| z zs F].
  - split; [apply inner_sym | split; [apply inner_zero | split; [apply inner_add | split; [apply inner_scale | apply inner_nonneg]]]].
  - pose proof F as (S & Z & A & C & N).
    unfold form. simpl. split; [intros u v; rewrite (S u v); unfold Rdiv; ring |]. split; [intros; rewrite !Z; unfold Rdiv; ring |].
    split; [intros; rewrite !A; unfold Rdiv; ring |]. split; [intros; rewrite !C; unfold Rdiv; ring |].
    intros v. pose proof (form_schwarz _ v z F) as W. pose proof (N z). pose proof (N v).
    destruct (Req_dec (left_inner zs z z) 0) as [E0 | E0].
    + rewrite (form_null _ v z F E0). unfold Rdiv. lra.
    + apply (Rmult_le_reg_r (left_inner zs z z)); [lra |].
      replace ((left_inner zs v v - _) * left_inner zs z z) with (left_inner zs v v * left_inner zs z z - left_inner zs v z ^ 2) by (field; exact E0). lra.
Qed.

(** The part within what zs span. *)
Definition within_inner zs u v := ⟨u, v⟩ - left_inner zs u v.

Lemma within_form zs : form (within_inner zs).
Proof.
  unfold within_inner. pose proof (left_form zs) as (S & Z & A & C & _).
  split; [intros; rewrite S, inner_sym; lra |]. split; [intros; rewrite Z, inner_zero; lra |].
  split; [intros; rewrite A, inner_add; lra |]. split; [intros; rewrite C, inner_scale; lra |].
  intros v. clear S Z A C. induction zs as [| z zs IH]; simpl; [lra |].
  assert (0 <= left_inner zs v z * left_inner zs v z / left_inner zs z z); [| lra].
  pose proof (proj2 (proj2 (proj2 (proj2 (left_form zs)))) z).
  destruct (Req_dec (left_inner zs z z) 0) as [E0 | E0].
  - rewrite (form_null _ v z (left_form zs) E0). unfold Rdiv. lra.
  - apply Rmult_le_pos; [nra |]. left. apply Rinv_0_lt_compat. lra.
Qed.

Lemma left_nonneg zs v : 0 <= left_inner zs v v.
Proof. apply (left_form zs). Qed.

Lemma left_at_most zs v : left_inner zs v v <= ⟨v, v⟩.
Proof. pose proof (proj2 (proj2 (proj2 (proj2 (within_form zs)))) v). unfold within_inner in *. lra. Qed.

(** Nothing is left of a row that was projected out. *)
Lemma left_none zs z : In z zs -> left_inner zs z z = 0.
Proof.
  induction zs as [| y zs IH]; [easy |]. simpl. intros [<- | I].
  - destruct (Req_dec (left_inner zs y y) 0) as [E0 | E0]; [| now field]. rewrite E0. unfold Rdiv. ring.
  - specialize (IH I). pose proof (left_form zs) as F. rewrite (proj1 F z y), (form_null _ y z F IH), IH. unfold Rdiv. ring.
Qed.

(** Moves along a row of which nothing is left do not change what is left. *)
Lemma left_stays zs w c z : left_inner zs z z = 0 -> left_inner zs (w ⊕ c · z) (w ⊕ c · z) = left_inner zs w w.
Proof. intros N. rewrite form_step by apply left_form. rewrite (form_null _ w z (left_form zs) N), N. ring. Qed.

(** ** The limits *)
Variables (η r c : R) (rows : list E).
Hypothesis η_positive : 0 < η.
Hypothesis radius : within (data_of rows) r.
Hypothesis c_nonneg : 0 <= c.

(** The square of the limit for zs: rows zs are small in w if the part of w that they span
    is within it. *)
Definition next_limit (m ζ : R) := let b := c + (m + η * r) * r + η * r ^ 2 + m ^ 2 / η in
  (m + η * r) ^ 2 + (b + η * r ^ 2) ^ 2 / ζ.
Fixpoint limit zs : R := match zs with [] => 0 | z :: zs => sqrt (next_limit (limit zs) (left_inner zs z z)) end.

Lemma limit_nonneg zs : 0 <= limit zs.
Proof. destruct zs; simpl; [lra | apply sqrt_pos]. Qed.

Lemma limit_square z zs : 0 < left_inner zs z z -> limit (z :: zs) ^ 2 = next_limit (limit zs) (left_inner zs z z).
Proof.
  intros P. simpl limit. rewrite pow2_sqrt; [easy |]. unfold next_limit. cbv zeta.
  apply Rplus_le_le_0_compat; [apply pow2_ge_0 |]. apply Rmult_le_pos; [apply pow2_ge_0 |]. left. now apply Rinv_0_lt_compat.
Qed.

(** The rows of zs are distinct, and b bounds the length that w may reach. *)
Definition chain zs := NoDup zs /\ forall z, In z zs -> In z rows.
Definition held b w := forall zs, chain zs -> within_inner zs w w <= limit zs ^ 2 -> left_inner zs w w + limit zs ^ 2 <= b.

Lemma held_length b w : held b w -> ⟨w, w⟩ <= b.
Proof.
  intros H. assert (C : chain []) by (split; [constructor | easy]). specialize (H [] C). unfold within_inner in H. simpl in H. lra.
Qed.

Lemma step_held b w z : In z rows -> ⟨w, z⟩ <= c -> held b w -> held b (w ⊕ η · z).
Proof.
  intros I T H zs C S. set (w' := w ⊕ η · z) in *. pose proof (left_nonneg zs z) as N. pose proof (held_length _ _ H) as HB.
  pose proof radius as [R0 L]. pose proof (L z I) as Lz. pose proof (norm_square _ z) as Sz. pose proof (norm_nonneg _ z) as Nz.
  destruct (Req_dec (left_inner zs z z) 0) as [E0 | E0].
  - (* z is spanned by zs *)
    assert (Q : left_inner zs w' w' = left_inner zs w w) by now apply left_stays.
    destruct (Rle_lt_dec (within_inner zs w w) (limit zs ^ 2)) as [A | A]; [rewrite Q; auto |].
    unfold within_inner in A. lra.
  - assert (P : 0 < left_inner zs z z) by lra. set (ζ := left_inner zs z z) in *. set (m := limit zs) in *.
    pose proof (limit_nonneg zs) as M. fold m in M.
    assert (Zr : ⟨z, z⟩ <= r ^ 2) by (rewrite <- Sz; apply pow_incr; lra).
    assert (ζr : ζ <= r ^ 2) by (pose proof (left_at_most zs z); unfold ζ; lra).
    (* the small part before the move *)
    assert (Wz : within_inner zs z z <= r ^ 2) by (unfold within_inner; fold ζ; lra).
    assert (Small : within_inner zs w w <= (m + η * r) ^ 2).
    { pose proof (within_form zs) as F. set (f := within_inner zs) in *.
      assert (A : f w' z = f w z + η * f z z).
      { destruct F as (_ & _ & Fa & Fs & _). unfold w'. now rewrite Fa, Fs. }
      pose proof (form_step f η w z F) as G. fold w' in G.
      pose proof (form_at_most f w' z m r F M R0 S Wz) as B.
      assert (η * - (m * r) <= η * f w' z) by (apply Rmult_le_compat_l; lra).
      assert (η ^ 2 * f z z <= η ^ 2 * r ^ 2) by (apply Rmult_le_compat_l; [apply pow2_ge_0 | exact Wz]). nra. }
    set (s := left_inner zs w z).
    assert (Score : ⟨w, z⟩ = s + within_inner zs w z) by (unfold within_inner, s; ring).
    assert (MR : 0 <= m + η * r) by nra.
    pose proof (form_at_most _ w z _ r (within_form zs) MR R0 Small Wz) as B.
    assert (s <= c + (m + η * r) * r) by lra.
    assert (Lw : left_inner zs w' w' = left_inner zs w w + 2 * η * s + η ^ 2 * ζ).
    { unfold w'. now rewrite form_step by apply left_form. }
    destruct (Rle_lt_dec (2 * η * s + η ^ 2 * ζ + m ^ 2) 0) as [D | D].
    + pose proof (left_at_most zs w). lra.
    + (* z :: zs is small in w *)
      set (b' := c + (m + η * r) * r + η * r ^ 2 + m ^ 2 / η).
      assert (0 <= m ^ 2 / η) by (apply Rmult_le_pos; [apply pow2_ge_0 | left; now apply Rinv_0_lt_compat]).
      assert (0 <= (m + η * r) * r) by nra. assert (0 <= η * r ^ 2) by (pose proof (pow2_ge_0 r); nra).
      assert (Lo : - b' <= s).
      { apply (Rmult_le_reg_l (2 * η)); [lra |]. unfold b'.
        assert (η * (m ^ 2 / η) = m ^ 2) by (field; lra). assert (η ^ 2 * ζ <= η * (η * r ^ 2)) by nra.
        assert (0 <= η * (η * r ^ 2)) by nra. assert (0 <= η * c) by nra. assert (0 <= η * ((m + η * r) * r)) by nra.
        pose proof (pow2_ge_0 m). nra. }
      assert (Hi : s <= b') by (unfold b'; lra).
      assert (Iz : 0 < / ζ) by now apply Rinv_0_lt_compat.
      pose proof (limit_square z zs P) as Q. fold ζ m in Q. unfold next_limit in Q. cbv zeta in Q. fold b' in Q.
      assert (C' : chain (z :: zs)).
      { destruct C as [C1 C2]. split; [constructor; [| exact C1] | intros y [<- | J]; auto].
        intros J. apply E0. apply (left_none zs z J). }
      assert (S2 : s ^ 2 / ζ <= (b' + η * r ^ 2) ^ 2 / ζ) by (apply Rmult_le_compat_r; [lra | nra]).
      assert (Sζ : (s + η * ζ) ^ 2 / ζ <= (b' + η * r ^ 2) ^ 2 / ζ).
      { apply Rmult_le_compat_r; [lra |]. assert (0 <= η * ζ <= η * r ^ 2) by nra. nra. }
      assert (W1 : left_inner (z :: zs) w w = left_inner zs w w - s ^ 2 / ζ).
      { simpl. fold s ζ. unfold Rdiv. ring. }
      assert (G : left_inner (z :: zs) w w + limit (z :: zs) ^ 2 <= b).
      { apply H; [exact C' |]. unfold within_inner in *. rewrite W1, Q. lra. }
      rewrite W1, Q in G.
      assert (X : (s + η * ζ) ^ 2 / ζ = s ^ 2 / ζ + 2 * η * s + η ^ 2 * ζ) by (field; lra).
      assert (m ^ 2 <= (m + η * r) ^ 2) by (apply pow_incr; nra). lra.
Qed.

(** A number that depends on the rows, η and c alone bounds ‖w_k‖² − ‖w(0)‖². *)
Theorem weights_bounded : exists M, 0 <= M /\ forall start θ zs w, (forall zs w, Forall (data_of rows) zs -> θ zs w <= c) ->
  run η (data_of rows) start θ zs w -> ‖w‖ ^ 2 <= ‖start‖ ^ 2 + M.
Proof.
  destruct (bounded_on_lists E rows (fun zs => limit zs ^ 2) (length rows)) as (M & B).
  assert (B' : forall zs, chain zs -> limit zs ^ 2 <= M).
  { intros zs [N I]. apply B; [exact I | now apply NoDup_incl_length]. }
  exists M. split; [assert (C : chain []) by (split; [constructor | easy]); specialize (B' [] C); simpl in B'; lra |].
  intros start θ zs w T H. rewrite !norm_square. apply held_length.
  induction H as [| zs w z H IH I L].
  - intros zs C _. pose proof (left_at_most zs start). specialize (B' zs C). lra.
  - apply step_held; [exact I | | exact IH]. apply (Rle_trans _ (θ zs w)); [exact L |]. apply T. now apply run_data in H.
Qed.
End Bounded.
