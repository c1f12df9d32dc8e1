(** Cycling: a deterministic run whose state repeats never ends. *)

From Perceptron Require Import Space Online.
Require Import Lra Psatz Lia.

(** One epoch is a function of the state: the weights. An epoch without a mistake is
    clean, and changes nothing. *)
Section Epochs.
Variables (state : Type) (epoch : state -> state) (clean : state -> Prop).
Hypothesis clean_stays : forall s, clean s -> epoch s = s.

Definition after (n : nat) (s : state) := Nat.iter n epoch s.

Lemma after_add m n s : after (m + n) s = after m (after n s).
Proof. unfold after. induction m; simpl; congruence. Qed.

Lemma clean_forever s n : clean s -> after n s = s.
Proof. intros C. unfold after. induction n; simpl; [| rewrite IHn; apply clean_stays]; easy. Qed.

Lemma loop_repeats s p n : after p s = s -> after (n * p) s = s.
Proof. intros L. induction n; simpl; [easy |]. now rewrite after_add, IHn. Qed.

(** The epoch that begins at s is not clean, and p > 0 epochs later the state is s
    again: then no later epoch is clean. *)
Theorem loop_never_ends s p : (0 < p)%nat -> after p s = s -> ~ clean s -> forall n, ~ clean (after n s).
Proof.
  intros P L M n C. apply M. pose proof (clean_forever _ (n * p - n) C) as F.
  rewrite <- after_add in F. replace (n * p - n + n)%nat with (n * p)%nat in F by nia.
  rewrite loop_repeats in F by exact L. now rewrite F.
Qed.

(** As the models find it: the states after epochs m < n are equal, and the last of
    these epochs was not clean. *)
Theorem cycled_never_converges start m n : (m < n)%nat -> after m start = after n start ->
  ~ clean (after (n - 1) start) -> forall t, ~ clean (after t start).
Proof.
  intros L Q M t C. set (s := after m start).
  assert (P : after (n - m) s = s).
  { unfold s. rewrite <- after_add. replace (n - m + m)%nat with n by lia. now rewrite <- Q. }
  assert (D : clean (after (t * (n - m) + (n - 1)) start)).
  { replace (t * (n - m) + (n - 1))%nat with ((t * (n - m) + (n - 1) - t) + t)%nat by nia.
    rewrite after_add, clean_forever; exact C. }
  apply M. replace (t * (n - m) + (n - 1))%nat with ((n - 1 - m) + (t * (n - m) + m))%nat in D by lia.
  rewrite !after_add in D. fold s in D. rewrite loop_repeats in D by exact P.
  unfold s in D. rewrite <- after_add in D. replace (n - 1 - m + m)%nat with (n - 1)%nat in D by lia. exact D.
Qed.
End Epochs.

(** In exact arithmetic a loop also proves inseparability: its examples sum to zero,
    so its mistake counts are the multipliers of Gordan's theorem. *)
Theorem loop_sums_to_zero (E : space) η (data : E -> Prop) start θ zs : 0 < η ->
  run η data start θ zs start -> ‖(total zs)‖ = 0.
Proof.
  intros P H. pose proof (run_sum _ _ _ _ _ _ _ H (total zs)) as S.
  assert (Z : ⟨total zs, total zs⟩ = 0) by nra. unfold norm. now rewrite Z, sqrt_0.
Qed.

Theorem loop_inseparable (E : space) η (data : E -> Prop) start θ zs : 0 < η ->
  run η data start θ zs start -> zs <> [] -> forall w, ~ (forall z, data z -> 0 < ⟨w, z⟩).
Proof.
  intros P H N w M. pose proof (run_sum _ _ _ _ _ _ _ H w) as S. apply run_data in H.
  assert (T : ⟨w, total zs⟩ = 0) by nra. rewrite inner_total in T. revert T. clear S.
  destruct H as [| z zs D F]; [easy |]. simpl. pose proof (M z D).
  assert (0 <= fold_right Rplus 0 (map (inner w) zs)); [| lra].
  induction F as [| x zs X F IH]; simpl; [lra |]. pose proof (M x X). assert (0 <= fold_right Rplus 0 (map (inner w) zs)) by (apply IH; easy). lra.
Qed.
