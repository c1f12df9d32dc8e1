(** A checker for the logs that perceptron log writes: which rows each pass of a
    training updated on. It replays the training in exact arithmetic. *)

From Perceptron Require Export Certificate Convergence.
Require Import Lra Psatz Lia Permutation Bool.

(** ** What a log says *)

(** Rosenblatt's rule with η = 1 visits the rows z = yx in their order, which begins at
    number i. It updates on those numbered us, and ends at v. *)
Inductive pass_of {E : space} : E -> Z -> list E -> list Z -> E -> Prop :=
| pass_end w i : pass_of w i [] [] w
| pass_mistake w i z zs us v : ⟨w, z⟩ <= 0 -> pass_of (w ⊕ 1 · z) (i + 1) zs us v -> pass_of w i (z :: zs) (i :: us) v
| pass_right w i z zs us v : 0 < ⟨w, z⟩ -> pass_of w (i + 1) zs us v -> pass_of w i (z :: zs) us v.

(** A training is one pass after another, each with the numbers of its updates. *)
Inductive training {E : space} (zs : list E) : E -> list (list Z) -> E -> Prop :=
| training_end w : training zs w [] w
| training_pass w us v log x : pass_of w 0 zs us v -> training zs v log x -> training zs w (us :: log) x.

(** The updates that a log has. *)
Definition updates (log : list (list Z)) := Z.of_nat (length (concat log)).

(** Online trains from zero as the log says, which has so many mistakes. This is a run of the
    rule with as many updates, and it ends with every row right. *)
Definition online_log (k : kind) (t : table) (log : list (list Z)) (mistakes_made : Z) := exists zs w,
  training (signed_rows k t) zero log w /\ updates log = mistakes_made /\
  run 1 (data_of (signed_rows k t)) zero mistakes zs w /\
  count zs = IZR mistakes_made /\ forall e, In e t -> 0 < ⟨w, signed_row k e⟩.

(** *** In float64 *)

(** A float64 operation rounds its exact result. Integers up to 2⁵³ stay as they are. *)
Definition keeps_integers (rnd : R -> R) := forall n : Z, (Z.abs n <= 2 ^ 53)%Z -> rnd (IZR n) = IZR n.

(** A computed sum of numbers, in any order and with any brackets. *)
Inductive computed (rnd : R -> R) : list R -> R -> Prop :=
| computed_none : computed rnd [] 0
| computed_one x : computed rnd [x] x
| computed_add xs ys a b : computed rnd xs a -> computed rnd ys b -> computed rnd (xs ++ ys) (rnd (a + b))
| computed_reordered xs ys a : Permutation xs ys -> computed rnd xs a -> computed rnd ys a.

Fixpoint rounded_products (rnd : R -> R) (u v : list R) : list R := match u, v with
  | a :: u, b :: v => rnd (a * b) :: rounded_products rnd u v
  | _, _ => []
  end.
Fixpoint rounded_add (rnd : R -> R) (u v : list R) : list R := match u, v with
  | [], _ => v
  | _, [] => u
  | a :: u, b :: v => rnd (a + b) :: rounded_add rnd u v
  end.

(** The same pass with every operation rounded. Whatever the order of each sum, its sign
    says the same. *)
Inductive rounded_pass (rnd : R -> R) : list R -> Z -> list (list R) -> list Z -> list R -> Prop :=
| rounded_end w i : rounded_pass rnd w i [] [] w
| rounded_mistake w i z zs us v : (forall s, computed rnd (rounded_products rnd w z) s -> s <= 0) ->
    rounded_pass rnd (rounded_add rnd w z) (i + 1) zs us v -> rounded_pass rnd w i (z :: zs) (i :: us) v
| rounded_right w i z zs us v : (forall s, computed rnd (rounded_products rnd w z) s -> 0 < s) ->
    rounded_pass rnd w (i + 1) zs us v -> rounded_pass rnd w i (z :: zs) us v.

Inductive rounded_training (rnd : R -> R) (zs : list (list R)) : list R -> list (list Z) -> list R -> Prop :=
| rounded_training_end w : rounded_training rnd zs w [] w
| rounded_training_pass w us v log x : rounded_pass rnd w 0 zs us v -> rounded_training rnd zs v log x ->
    rounded_training rnd zs w (us :: log) x.

(** The training with rounded operations is the exact one. *)
Definition float64_log (k : kind) (t : table) (log : list (list Z)) := exists w,
  training (signed_rows k t) zero log w /\
  forall rnd, keeps_integers rnd -> rounded_training rnd (signed_rows k t) [] log w.

(** ** The checker *)
Open Scope Z_scope.
Open Scope bool_scope.

(** Σ|wⱼzⱼ|, which bounds every partial sum. *)
Fixpoint z_size (u v : list Z) := match u, v with
  | a :: u, b :: v => Z.abs (a * b) + z_size u v
  | _, _ => 0
  end.
Definition limit := 2 ^ 53.
Definition small (w z : list Z) := (z_size w z <=? limit).
Definition all_small (w : list Z) := forallb (fun a => Z.abs a <=? limit) w.

(** If exact is set, every sum must be an integer of at most 2⁵³. *)
Fixpoint z_pass (exact : bool) (w : list Z) (i : Z) (zs : list (list Z)) (us : list Z) : option (list Z) := match zs with
  | [] => match us with [] => Some w | _ => None end
  | z :: zs =>
    if exact && negb (small w z) then None else
    if z_inner w z <=? 0 then match us with
      | u :: us =>
        let v := z_add w z in
        if (u =? i) && (negb exact || all_small v) then z_pass exact v (i + 1) zs us else None
      | [] => None
      end
    else z_pass exact w (i + 1) zs us
  end.

Fixpoint z_training (exact : bool) (zs : list (list Z)) (w : list Z) (log : list (list Z)) : option (list Z) := match log with
  | [] => Some w
  | us :: log => match z_pass exact w 0 zs us with Some v => z_training exact zs v log | None => None end
  end.

(** The last pass must be clean. *)
Definition clean_end (log : list (list Z)) := match last log [0] with [] => true | _ => false end.
Definition is_some {A} (a : option A) := match a with Some _ => true | None => false end.

Definition check_online (k : kind) (t : table) (log : list (list Z)) (n : Z) :=
  clean_end log && (updates log =? n) && is_some (z_training false (map (z_row k (scale_of t)) t) [] log).
Definition check_float64 (k : kind) (t : table) (log : list (list Z)) :=
  (scale_of t =? 0) && is_some (z_training true (map (z_row k 0) t) [] log).

(** ** The checker is right *)
Close Scope Z_scope.

Lemma scale_add c (u v : sequences) : c · (u ⊕ v) = c · u ⊕ c · v.
Proof.
  revert v. induction u as [| a u IH]; intros [| b v]; try easy. simpl in *. rewrite IH. f_equal. ring.
Qed.

Lemma scale_one (v : sequences) : 1 · v = v.
Proof. induction v as [| a v IH]; simpl in *; [easy |]. rewrite IH. f_equal. ring. Qed.

Lemma pass_sound exact k t (es : table) w i us v x : (forall e, In e es -> In e t) ->
  z_pass exact w i (map (z_row k (scale_of t)) es) us = Some v ->
  real w = powerRZ 10 (- scale_of t) · x ->
  exists y, pass_of x i (signed_rows k es) us y /\ real v = powerRZ 10 (- scale_of t) · y.
Proof.
  set (c := powerRZ 10 (- scale_of t)). assert (C : 0 < c) by apply ten_positive.
  revert w i us x. induction es as [| e es IH]; intros w i us x I; cbn [map z_pass signed_rows].
  - destruct us; [| easy]. intros [= <-] Q. exists x. split; [constructor | exact Q].
  - destruct (exact && _)%bool; [easy |]. intros H Q.
    pose proof (real_row k t e (I e (or_introl eq_refl))) as Z. fold c in Z.
    assert (S : IZR (z_inner w (z_row k (scale_of t) e)) = c * (c * ⟨x, signed_row k e⟩)).
    { now rewrite real_inner, Z, Q, inner_scale, inner_scale_r. }
    destruct (Z.leb_spec (z_inner w (z_row k (scale_of t) e)) 0) as [L | L].
    + destruct us as [| u us]; [easy |]. destruct (_ && _)%bool eqn:A; [| easy].
      apply andb_true_iff in A as [A _]. apply Z.eqb_eq in A. subst u.
      destruct (IH _ _ _ (x ⊕ 1 · signed_row k e) (fun e H => I e (or_intror H)) H) as (y & P & R).
      { rewrite real_add, Q, Z, scale_one. symmetry. apply scale_add. }
      exists y. split; [| exact R]. constructor; [| exact P]. apply IZR_le in L. rewrite S in L.
      apply Rnot_lt_le. intros G. assert (0 < c * ⟨x, signed_row k e⟩) by nra. nra.
    + destruct (IH _ _ _ x (fun e H => I e (or_intror H)) H Q) as (y & P & R).
      exists y. split; [| exact R]. apply pass_right; [| exact P]. apply IZR_lt in L. rewrite S in L.
      apply Rnot_le_lt. intros G. assert (c * ⟨x, signed_row k e⟩ <= 0) by nra. nra.
Qed.

Lemma training_sound exact k t w log v x : z_training exact (map (z_row k (scale_of t)) t) w log = Some v ->
  real w = powerRZ 10 (- scale_of t) · x ->
  exists y, training (signed_rows k t) x log y /\ real v = powerRZ 10 (- scale_of t) · y.
Proof.
  revert w x. induction log as [| us log IH]; intros w x; cbn [z_training].
  - intros [= <-] Q. exists x. split; [constructor | exact Q].
  - destruct (z_pass _ _ _ _ _) as [u |] eqn:P; [| easy]. intros H Q.
    destruct (pass_sound exact k t t w 0 us u x (fun e I => I) P Q) as (y & A & B).
    destruct (IH u y H B) as (z & C & D). exists z. split; [econstructor; eauto | exact D].
Qed.

(** Every pass is a run, and a clean one finds every row right. *)
Lemma pass_run (E : space) (data : E -> Prop) start (w : E) i zs us v rs : (forall z, In z zs -> data z) ->
  pass_of w i zs us v -> run 1 data start mistakes rs w ->
  exists rs', run 1 data start mistakes rs' v /\ length rs' = (length us + length rs)%nat.
Proof.
  intros I P. revert rs I. induction P as [w i | w i z zs us v L P IH | w i z zs us v L P IH]; intros rs I H.
  - now exists rs.
  - destruct (IH (z :: rs)) as (rs' & A & B); [intros; apply I; now right | constructor; auto; apply I; now left |].
    exists rs'. split; [exact A | simpl in *; lia].
  - apply IH; [intros; apply I; now right | exact H].
Qed.

Lemma training_run (E : space) (zs : list E) start (w : E) log v rs : training zs w log v -> run 1 (data_of zs) start mistakes rs w ->
  exists rs', run 1 (data_of zs) start mistakes rs' v /\ length rs' = (length (concat log) + length rs)%nat.
Proof.
  intros T. revert rs. induction T as [w | w us v log x P T IH]; intros rs H; [now exists rs |].
  destruct (pass_run E _ start w 0%Z zs us v rs (fun z I => I) P H) as (r1 & A & B).
  destruct (IH r1 A) as (r2 & C & D). exists r2. split; [exact C |]. simpl. rewrite app_length. lia.
Qed.

Lemma clean_pass (E : space) (w : E) i zs us v : pass_of w i zs us v -> us = [] -> v = w /\ forall z, In z zs -> 0 < ⟨w, z⟩.
Proof.
  induction 1 as [w i | w i z zs us v L P IH | w i z zs us v L P IH]; intros U; [easy | easy |].
  destruct (IH U) as [-> R]. split; [easy |]. intros x [<- | I]; auto.
Qed.

Lemma clean_training (E : space) (zs : list E) (w : E) log v : training zs w log v -> clean_end log = true ->
  forall z, In z zs -> 0 < ⟨v, z⟩.
Proof.
  induction 1 as [w | w us v log x P T IH]; [easy |]. destruct log as [| us' log]; [| intros C; now apply IH].
  inversion T; subst. unfold clean_end. simpl. destruct us; [| easy]. intros _.
  destruct (clean_pass _ _ _ _ _ _ P eq_refl) as [-> R]. exact R.
Qed.

Theorem online_log_sound k t log n : check_online k t log n = true -> online_log k t log n.
Proof.
  unfold check_online. rewrite !andb_true_iff. intros [[C N] S]. destruct (z_training _ _ _ _) as [v |] eqn:T; [| easy].
  destruct (training_sound false k t [] log v zero T eq_refl) as (w & W & _).
  destruct (training_run _ _ zero _ _ _ [] W (begin _ _ _ _)) as (zs & R & L). exists zs, w.
  apply Z.eqb_eq in N. split; [exact W | split; [exact N | split; [exact R | split]]].
  - unfold updates in N. unfold count. rewrite L, <- N, <- INR_IZR_INZ. f_equal. simpl. lia.
  - intros e I. apply (clean_training _ _ _ _ _ W C), in_map, I.
Qed.

(** A log has one number of mistakes. *)
Theorem online_log_number k t log m n : online_log k t log m -> online_log k t log n -> m = n.
Proof. intros (_ & _ & _ & <- & _) (_ & _ & _ & <- & _). reflexivity. Qed.

(** Sums of integers are exact while Σ|n| ≤ 2⁵³. *)
Definition z_total (ns : list Z) := fold_right Z.add 0%Z ns.
Definition z_total_size (ns : list Z) := fold_right (fun n s => (Z.abs n + s)%Z) 0%Z ns.

Lemma total_within ns : (Z.abs (z_total ns) <= z_total_size ns)%Z.
Proof. induction ns; simpl in *; lia. Qed.

Lemma total_append ns ms : z_total (ns ++ ms) = (z_total ns + z_total ms)%Z /\ z_total_size (ns ++ ms) = (z_total_size ns + z_total_size ms)%Z.
Proof. induction ns; simpl in *; lia. Qed.

Lemma total_size_nonneg ns : (0 <= z_total_size ns)%Z.
Proof. induction ns; simpl in *; lia. Qed.

Lemma total_reordered ns ms : Permutation ns ms -> z_total ns = z_total ms /\ z_total_size ns = z_total_size ms.
Proof. induction 1; simpl in *; lia. Qed.

Lemma computed_exact rnd xs s : keeps_integers rnd -> computed rnd xs s ->
  forall ns, xs = map IZR ns -> (z_total_size ns <= 2 ^ 53)%Z -> s = IZR (z_total ns).
Proof.
  intros Q. induction 1 as [| x | xs ys a b _ IHa _ IHb | xs ys a P _ IH]; intros ns E B.
  - symmetry in E. apply map_eq_nil in E. now subst.
  - destruct ns as [| n [|]]; try easy. injection E as ->. simpl. now rewrite Z.add_0_r.
  - symmetry in E. apply map_eq_app in E as (n1 & n2 & -> & <- & <-). destruct (total_append n1 n2) as [T S].
    pose proof (total_size_nonneg n1). pose proof (total_size_nonneg n2). pose proof (total_within (n1 ++ n2)).
    rewrite (IHa n1 eq_refl), (IHb n2 eq_refl), <- plus_IZR, <- T by lia. apply Q. lia.
  - subst ys. destruct (Permutation_map_inv _ _ P) as (ms & -> & R). destruct (total_reordered _ _ R) as [T S].
    rewrite T. apply IH; [easy |]. lia.
Qed.

Fixpoint z_products (u v : list Z) := match u, v with a :: u, b :: v => (a * b)%Z :: z_products u v | _, _ => [] end.

Lemma products_total u v : z_total (z_products u v) = z_inner u v /\ z_total_size (z_products u v) = z_size u v.
Proof. revert v. induction u as [| a u IH]; intros [| b v]; try easy. simpl. destruct (IH v) as [-> ->]. easy. Qed.

Lemma products_exact rnd u v : keeps_integers rnd -> (z_size u v <= 2 ^ 53)%Z ->
  rounded_products rnd (map IZR u) (map IZR v) = map IZR (z_products u v).
Proof.
  intros Q. revert v. induction u as [| a u IH]; intros [| b v] B; try easy. cbn [z_size map rounded_products z_products] in *.
  assert (0 <= z_size u v)%Z by (destruct (products_total u v) as [_ <-]; apply total_size_nonneg).
  rewrite IH by lia. f_equal. rewrite <- mult_IZR. apply Q. lia.
Qed.

Lemma score_exact rnd u v s : keeps_integers rnd -> small u v = true ->
  computed rnd (rounded_products rnd (map IZR u) (map IZR v)) s -> s = IZR (z_inner u v).
Proof.
  intros Q B C. apply Z.leb_le in B. destruct (products_total u v) as [<- S].
  apply (computed_exact rnd _ _ Q C); [now apply products_exact | now rewrite S].
Qed.

Lemma add_exact rnd u v : keeps_integers rnd -> all_small (z_add u v) = true ->
  rounded_add rnd (map IZR u) (map IZR v) = map IZR (z_add u v).
Proof.
  intros Q. revert v. induction u as [| a u IH]; intros [| b v] B; try easy. cbn [z_add map rounded_add all_small forallb] in *.
  apply andb_true_iff in B as [A B]. rewrite IH by exact B. f_equal. rewrite <- plus_IZR. apply Q. now apply Z.leb_le.
Qed.

Lemma rounded_pass_exact rnd w i zs us v : keeps_integers rnd -> z_pass true w i zs us = Some v ->
  rounded_pass rnd (map IZR w) i (map real zs) us (map IZR v).
Proof.
  intros Q. revert w i us. induction zs as [| z zs IH]; intros w i us; cbn [z_pass map].
  - destruct us; [| easy]. intros [= <-]. constructor.
  - destruct (small w z) eqn:B; [| easy]. cbn [negb andb]. destruct (Z.leb_spec (z_inner w z) 0) as [L | L]; intros H.
    + destruct us as [| u us]; [easy |]. destruct (_ && _)%bool eqn:A; [| easy].
      apply andb_true_iff in A as [A S]. apply Z.eqb_eq in A. subst u. cbn [negb orb] in S.
      apply rounded_mistake; [| unfold real; rewrite (add_exact rnd w z Q S); now apply IH].
      intros s C. rewrite (score_exact rnd w z s Q B C). now apply IZR_le.
    + apply rounded_right; [| now apply IH]. intros s C. rewrite (score_exact rnd w z s Q B C). now apply IZR_lt.
Qed.

Lemma rounded_training_exact rnd zs w log v : keeps_integers rnd -> z_training true zs w log = Some v ->
  rounded_training rnd (map real zs) (map IZR w) log (map IZR v).
Proof.
  intros Q. revert w. induction log as [| us log IH]; intros w; cbn [z_training].
  - intros [= <-]. constructor.
  - destruct (z_pass _ _ _ _ _) as [u |] eqn:P; [| easy]. intros H.
    econstructor; [apply (rounded_pass_exact rnd w 0 zs us u Q P) | now apply IH].
Qed.

Theorem float64_log_sound k t log : check_float64 k t log = true -> float64_log k t log.
Proof.
  unfold check_float64. rewrite andb_true_iff. intros [S T]. apply Z.eqb_eq in S.
  destruct (z_training _ _ _ _) as [v |] eqn:R; [| easy]. rewrite <- S in R.
  destruct (training_sound true k t [] log v zero R eq_refl) as (w & W & V).
  exists w. split; [exact W |]. intros rnd Q. pose proof (rounded_training_exact rnd _ [] log v Q R) as A.
  rewrite real_rows in A. rewrite S in A, V. change (- 0)%Z with 0%Z in A, V. change (powerRZ 10 0) with 1 in A, V.
  rewrite scale_one in V. unfold real in V. rewrite V in A. rewrite (map_ext _ (fun z => z) scale_one), map_id in A. exact A.
Qed.
