(** A checker for the certificates that perceptron separate writes. It computes with
    integers, and each verdict it accepts is proved to be true of the decimal numbers. *)

From Perceptron Require Export Space Online Threshold Separation.
Require Export ZArith.
Require Import Bool.
Require Import Lra Psatz Lia.
Open Scope R_scope.

(** ** What a verdict says *)

(** A decimal number is the digits that a file has, and it means m·10ᵉ. *)
Definition scientific (d : Decimal.decimal) : Z * Z := match d with
  | Decimal.Decimal i f => (Z.of_int (Decimal.app_int i f), - Z.of_nat (Decimal.nb_digits f))
  | Decimal.DecimalExp i f e => (Z.of_int (Decimal.app_int i f), Z.of_int e - Z.of_nat (Decimal.nb_digits f))
  end%Z.
Definition value (d : Decimal.decimal) : R := IZR (fst (scientific d)) * powerRZ 10 (snd (scientific d)).

(** 0.1 stands for its digits: Coq reads no number while it reads a table. *)
Definition digits (n : Number.number) := match n with Number.Decimal d => Some d | _ => None end.
Definition number (d : Decimal.decimal) := Some (Number.Decimal d).
Declare Scope decimal_scope.
Delimit Scope decimal_scope with decimal.
Bind Scope decimal_scope with Decimal.decimal.
Number Notation Decimal.decimal digits number : decimal_scope.

(** 0.125, 1.5e2 and −2.5e−1 are 125·10⁻³, 15·10¹ and −25·10⁻². *)
Lemma decimals : scientific 0.125%decimal = (125, -3)%Z /\ scientific 1.5e2%decimal = (15, 1)%Z /\
  scientific (-2.5e-1)%decimal = (-25, -2)%Z.
Proof. repeat split. Qed.

(** In Affine space x stands for (x, 1), and hyperplanes have a bias. *)
Inductive kind := Affine | Linear.

(** A table lists rows x of decimal numbers, with true for the label +1. *)
Definition table := list (list Decimal.decimal * bool).

Definition vector_of (k : kind) (x : list Decimal.decimal) : sequences :=
  match k with Affine => affine 1 (map value x) | Linear => map value x end.
Definition signed_row (k : kind) (e : list Decimal.decimal * bool) : sequences :=
  (if snd e then 1 else -1) · vector_of k (fst e).
Definition signed_rows (k : kind) (t : table) : list sequences := map (signed_row k) t.

(** Some hyperplane has every row on the side of its label. *)
Definition is_separable (k : kind) (t : table) := exists w, forall e, In e t -> 0 < ⟨w, signed_row k e⟩.

(** The margin γ of the table exists and is in [lower, upper]. *)
Definition margin_between (k : kind) (t : table) (lower upper : Decimal.decimal) :=
  exists γ, margin _ (signed_rows k t) γ /\ value lower <= γ <= value upper.

(** Rosenblatt's rule makes at most n mistakes on these rows, from zero, at any rate and
    in any order. *)
Definition mistakes_at_most (k : kind) (t : table) (n : Z) := forall η zs w, 0 < η ->
  run η (fun z => In z (signed_rows k t)) zero mistakes zs w -> count zs <= IZR n.

(** ** The checker *)
Open Scope Z_scope.
Open Scope bool_scope.

(** One power of ten, 10⁻ˢ, makes integers of all numbers of the table and of 1. *)
Definition exponent (d : Decimal.decimal) := snd (scientific d).
Definition scale_of (t : table) := fold_right (fun e s => fold_right (fun d => Z.min (exponent d)) s (fst e)) 0 t.
Definition scaled (s : Z) (d : Decimal.decimal) := let (m, e) := scientific d in m * 10 ^ (e - s).
Definition z_row (k : kind) (s : Z) (e : list Decimal.decimal * bool) : list Z :=
  map (Z.mul (if snd e then 1 else -1))
    (match k with Affine => 10 ^ (- s) :: map (scaled s) (fst e) | Linear => map (scaled s) (fst e) end).

Fixpoint z_add (u v : list Z) := match u, v with
  | [], _ => v
  | _, [] => u
  | a :: u, b :: v => a + b :: z_add u v
  end.

Fixpoint z_inner (u v : list Z) := match u, v with
  | a :: u, b :: v => a * b + z_inner u v
  | _, _ => 0
  end.

Fixpoint z_weighted (c : list Z) (zs : list (list Z)) := match c, zs with
  | 0 :: c, _ :: zs => z_weighted c zs
  | a :: c, z :: zs => z_add (map (Z.mul a) z) (z_weighted c zs)
  | _, _ => []
  end.

Definition z_sum (c : list Z) := fold_right Z.add 0 c.
Definition least (c : list Z) := match c with [] => 0 | a :: c => fold_right Z.min a c end.
Definition greatest (c : list Z) := fold_right Z.max 0 c.

(** a·10ᵉ ≤ b·10ᶠ. *)
Definition leq (a e b f : Z) := a * 10 ^ (e - Z.min e f) <=? b * 10 ^ (f - Z.min e f).

(** λ ≥ 0, λ ≠ 0, one for each row. *)
Definition check_multipliers (t : table) (λ : list Z) :=
  Nat.eqb (length λ) (length t) && forallb (Z.leb 0) λ && (0 <? z_sum λ).

(** 0 < lower, lower·‖w‖ ≤ m and R²‖w‖² < (n + 1)m² for the least score m > 0. *)
Definition check_hyperplane (zs : list (list Z)) (s : Z) (w : list Z) (lower : Decimal.decimal) (n : Z) :=
  let m := least (map (z_inner w) zs) in
  let square := z_inner w w in
  let (l, e) := scientific lower in
  (0 <? m) && (0 <? l) && leq (l * l * square) (2 * e) (m * m) (2 * s) &&
  (greatest (map (fun z => z_inner z z) zs) * square <? (n + 1) * (m * m)).

(** ‖Σλz‖² ≤ (upper Σλ)². *)
Definition check_upper (t : table) (zs : list (list Z)) (s : Z) (λ : list Z) (upper : Decimal.decimal) :=
  let v := z_weighted λ zs in
  let (u, e) := scientific upper in
  check_multipliers t λ && (0 <=? u) &&
  leq (z_inner v v) (2 * s) (u * z_sum λ * (u * z_sum λ)) (2 * e).

Definition check_separable (k : kind) (t : table) (w λ : list Z) (lower upper : Decimal.decimal) (n : Z) :=
  let s := scale_of t in
  let zs := map (z_row k s) t in
  check_hyperplane zs s w lower n && check_upper t zs s λ upper.

Definition check_inseparable (k : kind) (t : table) (λ : list Z) :=
  let s := scale_of t in
  let zs := map (z_row k s) t in
  check_upper t zs s λ 0%decimal.

(** ** The checker is right *)
Close Scope Z_scope.

Definition real (v : list Z) : sequences := map IZR v.

Lemma ten_positive e : 0 < powerRZ 10 e.
Proof. apply powerRZ_lt. lra. Qed.

Lemma ten_plus e f : powerRZ 10 (e + f) = powerRZ 10 e * powerRZ 10 f.
Proof. apply powerRZ_add. lra. Qed.

Lemma ten_double e : powerRZ 10 (2 * e) = powerRZ 10 e * powerRZ 10 e.
Proof. rewrite <- ten_plus. f_equal. lia. Qed.

Lemma ten_inverse e : powerRZ 10 (- e) * powerRZ 10 e = 1.
Proof. rewrite <- ten_plus. now replace (- e + e)%Z with 0%Z by lia. Qed.

Lemma ten_integer e : (0 <= e)%Z -> IZR (10 ^ e) = powerRZ 10 e.
Proof.
  intros P. rewrite <- (Z2Nat.id e P). generalize (Z.to_nat e) as n. clear. intros n.
  rewrite <- pow_powerRZ, pow_IZR. reflexivity.
Qed.

Lemma leq_sound a e b f : leq a e b f = true -> IZR a * powerRZ 10 e <= IZR b * powerRZ 10 f.
Proof.
  unfold leq. intros L. apply Z.leb_le, IZR_le in L. set (μ := Z.min e f) in *.
  rewrite !mult_IZR, !ten_integer in L by lia. pose proof (ten_positive μ) as P.
  apply (Rmult_le_compat_r _ _ _ (Rlt_le _ _ P)) in L. rewrite !Rmult_assoc, <- !ten_plus in L.
  now replace (e - μ + μ)%Z with e in L by lia; replace (f - μ + μ)%Z with f in L by lia.
Qed.

Lemma scaled_value s d : (s <= exponent d)%Z -> IZR (scaled s d) = powerRZ 10 (- s) * value d.
Proof.
  unfold scaled, value, exponent. destruct (scientific d) as [m e]. simpl. intros L.
  rewrite mult_IZR, ten_integer by lia. unfold Z.sub. rewrite ten_plus. ring.
Qed.

Lemma scale_at_most t : (scale_of t <= 0)%Z /\ forall e, In e t -> Forall (fun d => (scale_of t <= exponent d)%Z) (fst e).
Proof.
  assert (F : forall x s, (fold_right (fun d => Z.min (exponent d)) s x <= s)%Z /\
    Forall (fun d => (fold_right (fun d => Z.min (exponent d)) s x <= exponent d)%Z) x).
  { induction x as [| d x IH]; intros s; simpl; [split; [lia | constructor] |]. destruct (IH s) as [A B].
    split; [lia |]. constructor; [lia |]. revert B. apply Forall_impl. lia. }
  induction t as [| e t [N IH]]; simpl; [easy |].
  destruct (F (fst e) (scale_of t)) as [A B]. split; [unfold scale_of in *; lia |]. intros x [<- | I]; [exact B |].
  specialize (IH x I). revert IH. apply Forall_impl. unfold scale_of in *. lia.
Qed.

Lemma real_scale a v : real (map (Z.mul a) v) = IZR a · real v.
Proof. unfold real. simpl. rewrite !map_map. apply map_ext. intros. apply mult_IZR. Qed.

Lemma real_add u v : real (z_add u v) = real u ⊕ real v.
Proof.
  revert v. induction u as [| a u IH]; intros [| b v]; try easy.
  change (IZR (a + b) :: real (z_add u v) = IZR a + IZR b :: (real u ⊕ real v)). now rewrite plus_IZR, IH.
Qed.

Lemma real_inner u v : IZR (z_inner u v) = ⟨real u, real v⟩.
Proof.
  revert v. induction u as [| a u IH]; intros [| b v]; try easy.
  change (IZR (a * b + z_inner u v) = IZR a * IZR b + ⟨real u, real v⟩). now rewrite plus_IZR, mult_IZR, IH.
Qed.

Lemma real_weighted c zs v : ⟨v, real (z_weighted c zs)⟩ = ⟨v, weighted (map IZR c) (map real zs)⟩.
Proof.
  revert zs. induction c as [| a c IH]; intros [| z zs]; try easy; [now destruct a |].
  assert (G : ⟨v, real (z_add (map (Z.mul a) z) (z_weighted c zs))⟩ = ⟨v, weighted (map IZR (a :: c)) (map real (z :: zs))⟩).
  { cbn [map weighted]. now rewrite real_add, real_scale, !inner_add_r, IH. }
  destruct a; [| exact G | exact G]. cbn [z_weighted map weighted]. rewrite inner_add_r, inner_scale_r, IH. ring.
Qed.

Lemma real_sum c : IZR (z_sum c) = sum (map IZR c).
Proof. unfold z_sum, sum. induction c; cbn [map fold_right]; [easy |]. now rewrite plus_IZR, IHc. Qed.

(** An integer row is the row times 10⁻ˢ. *)
Lemma real_row k t e : In e t -> real (z_row k (scale_of t) e) = powerRZ 10 (- scale_of t) · signed_row k e.
Proof.
  intros I. destruct (scale_at_most t) as [N A]. specialize (A e I). set (s := scale_of t) in *.
  assert (X : map IZR (map (scaled s) (fst e)) = map (Rmult (powerRZ 10 (- s))) (map value (fst e))).
  { rewrite !map_map. apply map_ext_in. intros d D. rewrite Forall_forall in A. now apply scaled_value, A. }
  unfold z_row, signed_row. rewrite real_scale.
  assert (Y : real (match k with Affine => (10 ^ (- s))%Z :: map (scaled s) (fst e) | Linear => map (scaled s) (fst e) end)
    = powerRZ 10 (- s) · vector_of k (fst e)).
  { unfold real. destruct k; cbn [map vector_of]; [| exact X]. rewrite X, ten_integer by lia.
    change (powerRZ 10 (- s) :: map (Rmult (powerRZ 10 (- s))) (map value (fst e)) =
      powerRZ 10 (- s) * 1 :: map (Rmult (powerRZ 10 (- s))) (map value (fst e))). now rewrite Rmult_1_r. }
  rewrite Y. simpl. rewrite !map_map. apply map_ext. intros a. destruct (snd e); lra.
Qed.

Section Checked.
Variables (k : kind) (t : table).
Notation s := (scale_of t).
Notation zs := (map (z_row k s) t).
Notation c := (powerRZ 10 (- s)).
Notation rows := (signed_rows k t).

Lemma real_rows : map real zs = map (scale c) rows.
Proof. unfold signed_rows. rewrite !map_map. apply map_ext_in. intros. now apply real_row. Qed.

Lemma score_of w e : In e t -> IZR (z_inner w (z_row k s e)) = c * ⟨real w, signed_row k e⟩.
Proof. intros I. now rewrite real_inner, (real_row k t e I), inner_scale_r. Qed.

Lemma square_of e : In e t -> IZR (z_inner (z_row k s e) (z_row k s e)) = c ^ 2 * ⟨signed_row k e, signed_row k e⟩.
Proof. intros I. rewrite real_inner, (real_row k t e I), inner_scale, inner_scale_r. ring. Qed.

Lemma weighted_scale (E : space) a (λ : list R) (xs : list E) v : ⟨v, weighted λ (map (scale a) xs)⟩ = a * ⟨v, weighted λ xs⟩.
Proof.
  revert xs. induction λ as [| b λ IH]; intros [| x xs]; simpl; rewrite ?inner_zero_r; try ring.
  rewrite !inner_add_r, !inner_scale_r, IH. ring.
Qed.

Lemma multipliers_sound λ : check_multipliers t λ = true -> multipliers _ rows (map IZR λ).
Proof.
  unfold check_multipliers. rewrite !andb_true_iff. intros [[L N] P]. apply Nat.eqb_eq in L.
  unfold signed_rows. split; [now rewrite !map_length | split].
  - apply Forall_map, Forall_forall. intros a I. rewrite forallb_forall in N. apply (IZR_le 0), Z.leb_le. auto.
  - rewrite <- real_sum. now apply (IZR_lt 0), Z.ltb_lt.
Qed.

Lemma upper_sound λ upper : check_upper t zs s λ upper = true ->
  multipliers _ rows (map IZR λ) /\ 0 <= value upper /\
  ‖(weighted (map IZR λ) rows)‖ <= value upper * sum (map IZR λ).
Proof.
  unfold check_upper, value. destruct (scientific upper) as [u e]. simpl fst. simpl snd.
  rewrite !andb_true_iff. intros [[M N] L]. apply multipliers_sound in M.
  apply Z.leb_le, (IZR_le 0) in N. apply leq_sound in L. pose proof (ten_positive e) as T.
  split; [exact M |]. destruct M as (_ & _ & P). split; [nra |].
  rewrite real_inner, real_weighted, inner_sym, real_weighted, real_rows, weighted_scale, inner_sym, weighted_scale in L.
  rewrite !mult_IZR, real_sum in L.
  rewrite !ten_double in L.
  pose proof (ten_inverse s) as I. apply norm_at_most; [apply Rmult_le_pos; [nra | lra] |].
  set (V := ⟨weighted (map IZR λ) rows, weighted (map IZR λ) rows⟩) in *.
  replace (c * (c * V) * (powerRZ 10 s * powerRZ 10 s)) with (c * powerRZ 10 s * (c * powerRZ 10 s) * V) in L by ring.
  rewrite I in L. lra.
Qed.

Lemma least_sound cs a : In a cs -> (least cs <= a)%Z.
Proof.
  assert (F : forall cs b, (fold_right Z.min b cs <= b)%Z /\ forall a, In a cs -> (fold_right Z.min b cs <= a)%Z).
  { clear. induction cs as [| x cs IH]; intros b; simpl; [easy |]. destruct (IH b) as [A B].
    split; [lia |]. intros a [<- | I]; [| specialize (B a I)]; lia. }
  destruct cs as [| b cs]; [easy |]. simpl. destruct (F cs b) as [A B]. intros [<- | I]; auto.
Qed.

Lemma greatest_sound cs a : In a cs -> (a <= greatest cs)%Z.
Proof. unfold greatest. induction cs as [| x cs IH]; simpl; [easy |]. intros [-> | I]; [| specialize (IH I)]; lia. Qed.

Lemma hyperplane_sound w lower n : check_hyperplane zs s w lower n = true ->
  0 < value lower /\ has_margin (fun z => In z rows) (real w) (value lower) /\ mistakes_at_most k t n.
Proof.
  unfold check_hyperplane, value. destruct (scientific lower) as [l e]. simpl fst. simpl snd.
  set (m := least (map (z_inner w) zs)). set (G := greatest (map (fun z => z_inner z z) zs)).
  rewrite !andb_true_iff. intros [[[M L] B] K].
  apply Z.ltb_lt, (IZR_lt 0) in M. apply Z.ltb_lt, (IZR_lt 0) in L. apply leq_sound in B. apply Z.ltb_lt, IZR_lt in K.
  rewrite !mult_IZR, real_inner, <- norm_square in *. rewrite plus_IZR in K.
  rewrite !ten_double in B.
  pose proof (ten_positive e) as E0. pose proof (ten_positive s) as S0. pose proof (ten_positive (- s)) as C0.
  pose proof (ten_inverse s) as I. set (S := powerRZ 10 s) in *. set (C := powerRZ 10 (- s)) in *.
  assert (Q : forall x, In x t -> IZR m * S <= ⟨real w, signed_row k x⟩).
  { intros x X. assert (A : (m <= z_inner w (z_row k s x))%Z) by (apply least_sound, in_map, in_map, X).
    apply IZR_le in A. rewrite (score_of w x X) in A. fold C in A. nra. }
  assert (Z : t <> []) by (intros Z; unfold m in M; rewrite Z in M; simpl in M; lra).
  assert (W : 0 < ‖(real w)‖).
  { destruct t as [| x t'] eqn:T; [easy |]. apply (norm_positive _ _ (signed_row k x)).
    specialize (Q x (or_introl eq_refl)). assert (0 < IZR m * S) by nra. lra. }
  set (ν := ‖(real w)‖) in *.
  assert (D : IZR l * powerRZ 10 e * ν <= IZR m * S).
  { assert (0 < IZR m * S) by nra. assert (0 < IZR l * powerRZ 10 e) by nra.
    assert ((IZR l * powerRZ 10 e * ν) ^ 2 <= (IZR m * S) ^ 2) by lra. nra. }
  split; [nra | split].
  - split; [exact W |]. intros z X. apply in_map_iff in X as (x & <- & X). specialize (Q x X). fold ν. lra.
  - intros η rs v P H. set (r := S * sqrt (IZR G)).
    assert (G0 : 0 <= IZR G) by (apply (IZR_le 0); unfold G, greatest; clear; induction (map _ _); simpl; lia).
    assert (N : count rs <= (r / (IZR m * S / ν)) ^ 2).
    { apply (novikoff _ η (fun z => In z rows) P (real w) _ r rs v); [| | exact H].
      - split; [apply Rdiv_lt_0_compat; nra | split; [exact W |]].
        intros z X. apply in_map_iff in X as (x & <- & X). specialize (Q x X). fold ν.
        replace (IZR m * S / ν * ν) with (IZR m * S) by (field; lra). exact Q.
      - split; [unfold r; pose proof (sqrt_pos (IZR G)); nra |]. intros z X. apply in_map_iff in X as (x & <- & X).
        assert (A : (z_inner (z_row k s x) (z_row k s x) <= G)%Z).
        { apply greatest_sound, (in_map (fun z => z_inner z z)), in_map, X. }
        apply IZR_le in A. rewrite (square_of x X) in A. fold C in A. unfold r.
        pose proof (sqrt_pos (IZR G)). pose proof (pow2_sqrt _ G0) as R. apply norm_at_most; [nra |].
        replace ((S * sqrt (IZR G)) ^ 2) with (S ^ 2 * IZR G) by (rewrite <- R at 1; ring).
        set (q := ⟨signed_row k x, signed_row k x⟩) in *. replace q with (S ^ 2 * (C ^ 2 * q)).
        + apply Rmult_le_compat_l; [apply pow2_ge_0 | exact A].
        + replace (S ^ 2 * (C ^ 2 * q)) with ((C * S) * (C * S) * q) by ring. rewrite I. ring. }
    replace ((r / (IZR m * S / ν)) ^ 2) with (IZR G * ν ^ 2 / (IZR m * IZR m)) in N.
    + assert (A : count rs < IZR n + 1).
      { apply (Rle_lt_trans _ _ _ N). apply (Rmult_lt_reg_r (IZR m * IZR m)); [nra |].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra. lra. }
      unfold count in *. rewrite INR_IZR_INZ in *. rewrite <- plus_IZR in A. apply lt_IZR in A. apply IZR_le. lia.
    + unfold r. rewrite <- (pow2_sqrt _ G0) at 1. field. repeat split; lra.
Qed.
End Checked.

(** The table is separable, its margin is in [lower, upper], and Rosenblatt's rule makes at
    most n mistakes. *)
Theorem separable_sound k t w λ lower upper n : check_separable k t w λ lower upper n = true ->
  is_separable k t /\ margin_between k t lower upper /\ mistakes_at_most k t n.
Proof.
  unfold check_separable. cbv zeta. rewrite andb_true_iff. intros [H U].
  apply hyperplane_sound in H as (L & W & N). apply upper_sound in U as (M & _ & U).
  assert (B : forall w g, has_margin (fun z => In z (signed_rows k t)) w g -> g <= value upper).
  { intros v g V. apply (Rle_trans _ _ _ (upper_bound _ _ _ _ _ M V)). destruct M as (_ & _ & P).
    apply (Rmult_le_reg_r (sum (map IZR λ))); [exact P |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  split; [| split; [| exact N]].
  - exists (real w). intros e I. destruct W as [P W]. specialize (W _ (in_map _ _ _ I)). nra.
  - destruct (completeness (fun g => exists w, has_margin (fun z => In z (signed_rows k t)) w g)) as [γ G].
    + exists (value upper). intros g [v V]. now apply (B v).
    + exists (value lower). now exists (real w).
    + exists γ. split; [exact G |]. split; [apply G; now exists (real w) |].
      apply G. intros g [v V]. now apply (B v).
Qed.

(** No hyperplane separates the table. *)
Theorem inseparable_sound k t λ : check_inseparable k t λ = true -> ~ is_separable k t.
Proof.
  intros C [w W]. apply upper_sound in C as (M & _ & U). unfold value in U. simpl in U. rewrite !Rmult_0_l in U.
  apply (contradiction _ _ _ M) with (w := w).
  - pose proof (norm_nonneg _ (weighted (map IZR λ) (signed_rows k t))). lra.
  - intros z I. apply in_map_iff in I as (e & <- & I). auto.
Qed.
