(** Enough waves separate: the part without chance. Three waves for each row, all of nearly one direction,
    separate rows whose angles ⟨a, z⟩ differ, whatever their labels. A wave has a kink at its crest, and no
    other row has its angle there. If rows differ in one feature, a direction along it is such a one; if
    they differ in two, or in any, some direction in the space of these features is. *)

From Perceptron Require Import Space Separation Gordan Waves.
Require Import Lra Lia Psatz.

(** ** Three waves for each row *)

(** Some h is at most every distance of different numbers. *)
Lemma least_of (l : list R) : Forall (fun a => 0 < a) l -> exists h, 0 < h <= 1 / 8 /\ Forall (fun a => h <= a) l.
Proof.
  induction 1 as [| a l A _ (h & H & F)]; [exists (1 / 8); split; [lra | constructor] |].
  exists (Rmin a h). pose proof (Rmin_r a h). split; [split; [apply Rmin_glb_lt |]; lra |].
  constructor; [apply Rmin_l |]. apply (Forall_impl _ (fun b L => Rle_trans _ _ _ (Rmin_r a h) L) F).
Qed.

Definition gap (p : R * R) := if Req_EM_T (fst p) (snd p) then 1 else Rabs (fst p - snd p).

Lemma gaps (ss : list R) : exists h, 0 < h <= 1 / 8 /\ forall s t, In s ss -> In t ss -> s <> t -> h <= Rabs (s - t).
Proof.
  destruct (least_of (map gap (list_prod ss ss))) as (h & H & F).
  - apply Forall_forall. intros a A. apply in_map_iff in A as ([s t] & <- & _). unfold gap; cbn.
    destruct (Req_EM_T s t); [lra |]. apply Rabs_pos_lt. lra.
  - exists h. split; [exact H |]. intros s t S T N. rewrite Forall_forall in F.
    specialize (F (gap (s, t)) (in_map gap _ _ (in_prod _ _ _ _ S T))). unfold gap in F; cbn in F.
    now destruct (Req_EM_T s t).
Qed.

Section Crests.
Variables (h : R) (ss : list R).
Definition three (s : R) := [- s - h; - s; - s + h].
Definition phases := flat_map three ss.
Definition waved (e : R * R) : sequences := map (fun β => snd e * first (fst e + β)) phases.

(** The second difference at the crests of t, as a vector; t may be there several times. *)
Definition crest (t : R) : sequences := flat_map (fun s => if Req_EM_T s t then [1; -2; 1] else [0; 0; 0]) ss.
Fixpoint times (t : R) (l : list R) : R := match l with [] => 0 | s :: l => (if Req_EM_T s t then 1 else 0) + times t l end.

Lemma times_nonneg t l : 0 <= times t l.
Proof. induction l as [| s l IH]; cbn; [lra |]. destruct (Req_EM_T s t); lra. Qed.

Lemma times_positive t l : In t l -> 0 < times t l.
Proof.
  induction l as [| s l IH]; [easy |]. cbn. pose proof (times_nonneg t l). intros [-> | I].
  - destruct (Req_EM_T t t); [lra | easy].
  - specialize (IH I). destruct (Req_EM_T s t); lra.
Qed.

Lemma crest_inner t f : seq_inner (crest t) (map f phases) = times t ss * (f (- t - h) - 2 * f (- t) + f (- t + h)).
Proof.
  unfold crest, phases. induction ss as [| s l IH]; cbn; [ring |]. destruct (Req_EM_T s t) as [<- | N]; cbn; rewrite IH; ring.
Qed.

Lemma kink d : 0 < h -> d = 0 \/ h <= Rabs d -> first (d - h) - 2 * first d + first (d + h) = if Req_EM_T d 0 then - 8 * h else 0.
Proof.
  intros H C. unfold first. destruct (Req_EM_T d 0) as [-> | N].
  - replace (0 - h) with (- h) by ring. replace (0 + h) with h by ring. rewrite Rabs_Ropp, Rabs_R0, Rabs_right; lra.
  - destruct C as [C | C]; [easy |]. unfold Rabs in *. repeat destruct Rcase_abs in C; repeat destruct Rcase_abs; lra.
Qed.
End Crests.

Fixpoint over (λ : list R) (items : list (R * R)) (g : R * R -> R) : R := match λ, items with
  | a :: λ, e :: items => a * g e + over λ items g
  | _, _ => 0
  end.

Lemma inner_over (v : sequences) (f : R * R -> sequences) λ : forall items,
  ⟨v, weighted λ (map f items)⟩ = over λ items (fun e => ⟨v, f e⟩).
Proof.
  induction λ as [| a λ IH]; intros [| e items]; cbn [map weighted over]; try apply inner_zero_r.
  now rewrite inner_add_r, inner_scale_r, IH.
Qed.

Definition at_angle (t : R) (e : R * R) := if Req_EM_T (fst e) t then snd e else 0.

Lemma over_scaled c g λ : forall items f, (forall e, In e items -> f e = c * g e) -> over λ items f = c * over λ items g.
Proof.
  induction λ as [| a λ IH]; intros [| e items] f H; cbn; try ring.
  rewrite (H e (or_introl eq_refl)), (IH items f); [ring |]. intros x I. apply H. now right.
Qed.

Lemma over_absent t λ : forall items, ~ In t (map fst items) -> over λ items (at_angle t) = 0.
Proof.
  induction λ as [| a λ IH]; intros [| e items] N; cbn in *; try reflexivity.
  unfold at_angle at 1. destruct (Req_EM_T (fst e) t); [tauto |]. rewrite IH by tauto. ring.
Qed.

Lemma all_zero λ : forall items, length λ = length items -> NoDup (map fst items) -> (forall e, In e items -> snd e <> 0) ->
  (forall t, In t (map fst items) -> over λ items (at_angle t) = 0) -> sum λ = 0.
Proof.
  induction λ as [| a λ IH]; intros [| e items] L D Y Z; cbn in *; try easy.
  inversion_clear D. pose proof (Z (fst e) (or_introl eq_refl)) as Z0. unfold at_angle at 1 in Z0.
  destruct (Req_EM_T (fst e) (fst e)); [| easy]. rewrite over_absent in Z0 by assumption.
  pose proof (Y e (or_introl eq_refl)). assert (a = 0) by (apply (Rmult_eq_reg_r (snd e)); lra). subst a.
  change (0 + sum λ = 0). rewrite (IH items); [ring | lia | easy | intros x I; apply Y; now right |].
  intros t T. specialize (Z t (or_intror T)). lra.
Qed.

(** Different angles, and labels that are not 0. *)
Theorem kinks_separate (items : list (R * R)) : NoDup (map fst items) -> (forall e, In e items -> Rabs (fst e) <= 1 / 8 /\ snd e <> 0) ->
  exists h, (forall e β, In e items -> In β (phases h (map fst items)) -> Rabs (fst e + β) <= 3 / 8) /\
    separated sequences (map (waved h (map fst items)) items).
Proof.
  intros D B. set (ss := map fst items). destruct (gaps ss) as (h & H & G). exists h. split.
  - intros e β I P. apply in_flat_map in P as (t & T & P). apply in_map_iff in T as (g & <- & T).
    destruct (B e I) as [B1 _]. destruct (B g T) as [B2 _]. apply Rabs_le.
    pose proof (Rle_abs (fst e)). pose proof (Rle_abs (- fst e)). pose proof (Rle_abs (fst g)). pose proof (Rle_abs (- fst g)).
    rewrite Rabs_Ropp in *. destruct P as [<- | [<- | [<- | []]]]; lra.
  - destruct (gordan sequences (map (waved h ss) items)) as [[S | C] _]; [exact S | exfalso].
    destruct C as (λ & (L & _ & P) & Z). rewrite map_length in L. assert (sum λ = 0); [| lra].
    apply (all_zero λ items L D); [intros; now apply B |].
    intros t T. pose proof (Z (crest ss t)) as Zt. rewrite inner_over in Zt.
    rewrite (over_scaled (times t ss * (- 8 * h)) (at_angle t)) in Zt.
    + pose proof (times_positive t ss T). apply (Rmult_eq_reg_l (times t ss * (- 8 * h))); [lra |].
      apply Rmult_integral_contrapositive_currified; lra.
    + intros e I. unfold waved. cbn [inner sequences]. rewrite crest_inner.
      pose proof (kink h (fst e - t) ltac:(lra)) as Q.
      replace (fst e + (- t - h)) with (fst e - t - h) by ring. replace (fst e + - t) with (fst e - t) by ring.
      replace (fst e + (- t + h)) with (fst e - t + h) by ring.
      transitivity (times t ss * (snd e * (first (fst e - t - h) - 2 * first (fst e - t) + first (fst e - t + h)))); [ring |]. rewrite Q.
      * unfold at_angle. destruct (Req_EM_T (fst e - t) 0), (Req_EM_T (fst e) t); try ring; exfalso; lra.
      * destruct (Req_EM_T (fst e) t) as [X | X]; [left; lra | right]. apply G; [now apply in_map | exact T | exact X].
Qed.

(** ** Waves near these separate too: separating is open in the numbers drawn *)
Fixpoint total_size (w : list R) : R := match w with [] => 0 | a :: w => Rabs a + total_size w end.

Lemma size_nonneg w : 0 <= total_size w.
Proof. induction w as [| a w IH]; cbn; [lra |]. pose proof (Rabs_pos a). lra. Qed.

Lemma near_score y D w us vs : Forall2 (fun u v => Rabs (v - u) <= D) us vs -> 0 <= D -> Rabs y <= 1 ->
  seq_inner w (map (fun t => y * first t) us) - 4 * D * total_size w <= seq_inner w (map (fun t => y * first t) vs).
Proof.
  intros F P Y. revert w. induction F as [| u v us vs C _ IH]; intros [| a w]; cbn; try lra.
  - pose proof (Rabs_pos a). pose proof (size_nonneg w). pose proof (Rmult_le_pos D (Rabs a + total_size w) ltac:(lra) ltac:(lra)). lra.
  - specialize (IH w). assert (S : Rabs (first v - first u) <= 4 * D).
    { unfold first. replace (1 - 4 * Rabs v - (1 - 4 * Rabs u)) with (4 * (Rabs u - Rabs v)) by ring.
      rewrite Rabs_mult, (Rabs_right 4) by lra. pose proof (Rabs_triang_inv2 u v). rewrite Rabs_minus_sym in C. lra. }
    assert (T : Rabs (a * (y * (first v - first u))) <= Rabs a * (4 * D)).
    { rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos |]. rewrite Rabs_mult. pose proof (Rabs_pos (first v - first u)). pose proof (Rabs_pos y). nra. }
    pose proof (Rle_abs (- (a * (y * (first v - first u))))) as X. rewrite Rabs_Ropp in X. nra.
Qed.

(** ** Directions *)
Section Directions.
Variable E : space.

Lemma small_step (l : list (R * R)) : exists t, 0 < t /\ forall s p, 0 < s <= t -> In p l -> fst p <> 0 -> fst p + s * snd p <> 0.
Proof.
  induction l as [| [a b] l (t & T & H)]; [exists 1; split; [lra | easy] |].
  pose proof (Rabs_pos b) as B. pose proof (Rabs_pos a) as A.
  set (m := if Req_EM_T a 0 then 1 else Rabs a / (2 * (Rabs b + 1))).
  assert (M : 0 < m) by (unfold m; destruct (Req_EM_T a 0) as [| N]; [lra | apply Rabs_pos_lt in N; apply Rdiv_lt_0_compat; lra]).
  exists (Rmin t m). pose proof (Rmin_l t m). pose proof (Rmin_r t m). split; [now apply Rmin_glb_lt |].
  intros s p S [<- | I] N; [| apply H; auto; lra]. cbn in *. unfold m in *. destruct (Req_EM_T a 0); [easy |].
  intros Z. assert (Q : Rabs a = s * Rabs b).
  { replace a with (- (s * b)) by lra. rewrite Rabs_Ropp, Rabs_mult, (Rabs_right s) by lra. ring. }
  assert (V : Rabs a / (2 * (Rabs b + 1)) * (2 * (Rabs b + 1)) = Rabs a) by (field; lra). apply Rabs_pos_lt in N. nra.
Qed.

(** Some direction is orthogonal to none of finitely many vectors. *)
Lemma direction (vs : list E) : (forall v, In v vs -> 0 < ⟨v, v⟩) -> exists a : E, forall v, In v vs -> ⟨a, v⟩ <> 0.
Proof.
  induction vs as [| v vs IH]; intros P; [now exists zero |]. destruct IH as [a A]; [intros x I; apply P; now right |].
  destruct (Req_dec ⟨a, v⟩ 0) as [Z | N]; [| exists a; intros x [<- | I]; auto].
  destruct (small_step (map (fun x => (⟨a, x⟩, ⟨v, x⟩)) vs)) as (t & T & H). exists (a ⊕ t · v).
  intros x I. rewrite inner_add, inner_scale. destruct I as [<- | I].
  - rewrite Z. pose proof (P v (or_introl eq_refl)). nra.
  - apply (H t (⟨a, x⟩, ⟨v, x⟩)); [lra | now apply (in_map (fun x => (⟨a, x⟩, ⟨v, x⟩))) | now apply A].
Qed.

(** Rows with labels. Rows differ if their difference has a length. *)
Definition differ (e f : E * R) := 0 < ⟨fst e ⊕ -1 · fst f, fst e ⊕ -1 · fst f⟩.
Definition angle (a : E) (e : E * R) : R * R := (⟨a, fst e⟩, snd e).

Lemma differences (items : list (E * R)) : ForallOrdPairs differ items -> exists vs, (forall v, In v vs -> 0 < ⟨v, v⟩) /\
  forall a, (forall v, In v vs -> ⟨a, v⟩ <> 0) -> NoDup (map fst (map (angle a) items)).
Proof.
  induction 1 as [| e items F _ (vs & P & H)]; [exists []; split; [easy |]; constructor |].
  exists (map (fun f => fst e ⊕ -1 · fst f) items ++ vs). split.
  - intros v I. apply in_app_or in I as [I | I]; [| now apply P]. apply in_map_iff in I as (f & <- & I).
    rewrite Forall_forall in F. now apply F.
  - intros a A. cbn [map]. constructor; [| apply H; intros v I; apply A, in_or_app; now right].
    intros I. rewrite map_map in I. apply in_map_iff in I as (f & Q & I). cbn in Q.
    apply (A (fst e ⊕ -1 · fst f)); [apply in_or_app; left; apply in_map_iff; now exists f |].
    rewrite inner_add_r, inner_scale_r. lra.
Qed.

Lemma bounded_angles (items : list (E * R)) (a : E) ε : 0 < ε -> exists c, 0 < c /\ ‖(c · a)‖ <= ε /\ forall e, In e items -> Rabs ⟨c · a, fst e⟩ <= ε.
Proof.
  intros P. assert (B : exists b, 1 <= b /\ ‖a‖ <= b /\ forall e, In e items -> Rabs ⟨a, fst e⟩ <= b).
  { induction items as [| e items (b & B1 & B2 & H)]; [exists (1 + ‖a‖); pose proof (norm_nonneg _ a); split; [lra | split; [lra | easy]] |].
    exists (b + Rabs ⟨a, fst e⟩). pose proof (Rabs_pos ⟨a, fst e⟩). split; [lra | split; [lra |]]. intros f [<- | I]; [lra |]. specialize (H f I). lra. }
  destruct B as (b & B1 & B2 & H). exists (ε / b). assert (C : 0 < ε / b) by (apply Rdiv_lt_0_compat; lra). assert (Q : ε / b * b = ε) by (field; lra).
  split; [exact C | split].
  - apply norm_at_most; [lra |]. rewrite inner_scale, inner_scale_r, <- norm_square. pose proof (norm_nonneg _ a).
    set (c := ε / b) in *. rewrite <- Q. assert (‖a‖ ^ 2 <= b ^ 2) by (apply pow_incr; lra). pose proof (pow2_ge_0 c). nra.
  - intros e I. specialize (H e I). rewrite inner_scale, Rabs_mult, (Rabs_right (ε / b)) by lra. nra.
Qed.

(** Any different rows with labels 1 and −1. The waves of each row may have angles of their own, near those
    of the direction a and of the phases. All stay in |t| ≤ ½, where the wave is 1 − 4|t|. *)
Theorem waves_separate (items : list (E * R)) ε : 0 < ε -> ForallOrdPairs differ items -> (forall e, In e items -> snd e = 1 \/ snd e = -1) ->
  exists (a : E) (βs : list R) δ, ‖a‖ <= ε /\ length βs = (3 * length items)%nat /\ 0 < δ /\
    forall t : E * R -> list R, (forall e, In e items -> Forall2 (fun β s => Rabs (s - (⟨a, fst e⟩ + β)) <= δ) βs (t e)) ->
      (forall e, In e items -> Forall (fun s => Rabs s <= 1 / 2) (t e)) /\
      separated sequences (map (fun e => map (fun s => snd e * first s) (t e)) items).
Proof.
  intros P D Y. destruct (differences items D) as (vs & V & N). destruct (direction vs V) as [a0 A0].
  destruct (bounded_angles items a0 (Rmin ε (1 / 8)) ltac:(apply Rmin_glb_lt; lra)) as (c & C & B1 & B2).
  pose proof (Rmin_l ε (1 / 8)). pose proof (Rmin_r ε (1 / 8)). set (a := c · a0) in *.
  set (angles := map (angle a) items).
  assert (F : map (fun e => ⟨a, fst e⟩) items = map fst angles) by (unfold angles; now rewrite map_map).
  destruct (kinks_separate angles) as (h & T & w & W).
  - apply N. intros v I Z. unfold a in Z. rewrite inner_scale in Z. apply Rmult_integral in Z as [Z | Z]; [lra | now apply (A0 v I)].
  - intros g I. apply in_map_iff in I as (e & <- & I). cbn. specialize (B2 e I). split; [lra |]. destruct (Y e I); lra.
  - set (βs := phases h (map fst angles)) in *.
    destruct (least_score sequences w _ W) as (m & M & L). pose proof (size_nonneg w) as S.
    set (δ := Rmin (1 / 8) (m / (8 * (total_size w + 1)))).
    assert (Δ : 0 < δ) by (apply Rmin_glb_lt; [lra | apply Rdiv_lt_0_compat; lra]).
    pose proof (Rmin_l (1 / 8) (m / (8 * (total_size w + 1)))) as D1. pose proof (Rmin_r (1 / 8) (m / (8 * (total_size w + 1)))) as D2. fold δ in D1, D2.
    exists a, βs, δ. split; [lra | split; [| split; [exact Δ |]]].
    + unfold βs, phases. replace (length items) with (length (map fst angles)) by (unfold angles; now rewrite !map_length).
      clear. induction (map fst angles) as [| s l IH]; cbn; [easy |]. rewrite IH. lia.
    + intros t Q. split.
      * intros e I. specialize (Q e I). assert (R0 : forall β, In β βs -> Rabs (⟨a, fst e⟩ + β) <= 3 / 8).
        { intros β J. apply (T (angle a e) β); [now apply in_map | exact J]. }
        clear -Q R0 D1. induction Q as [| β s βs ss H _ IH]; constructor.
        -- specialize (R0 β (or_introl eq_refl)). replace s with (s - (⟨a, fst e⟩ + β) + (⟨a, fst e⟩ + β)) by ring.
           apply (Rle_trans _ _ _ (Rabs_triang _ _)). lra.
        -- apply IH. intros x J. apply R0. now right.
      * exists w. intros z I. apply in_map_iff in I as (e & <- & I). specialize (Q e I).
        specialize (L (waved h (map fst angles) (angle a e)) (in_map _ _ _ (in_map _ _ _ I))).
        assert (U : Forall2 (fun u v => Rabs (v - u) <= δ) (map (fun β => ⟨a, fst e⟩ + β) βs) (t e)).
        { clear -Q. induction Q; cbn; constructor; auto. }
        pose proof (near_score (snd e) δ w _ _ U ltac:(lra)) as G. rewrite map_map in G.
        assert (Rabs (snd e) <= 1) by (destruct (Y e I) as [-> | ->]; unfold Rabs; destruct Rcase_abs; lra).
        specialize (G ltac:(easy)). cbn [inner sequences] in *. unfold waved in L. fold βs in L. cbn [angle fst snd] in L.
        assert (X : 4 * δ * total_size w <= m / 2).
        { apply (Rmult_le_compat_r (8 * (total_size w + 1))) in D2; [| lra]. replace (m / (8 * (total_size w + 1)) * (8 * (total_size w + 1))) with m in D2 by (field; lra). nra. }
        lra.
Qed.
End Directions.
