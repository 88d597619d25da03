;; The sums of a gene by the sample of each cell: what JavaScript, which checks the bounds of four arrays for every entry,
;; takes twice as long for.
(module
  (import "env" "memory" (memory 0))
  ;; All parameters are addresses: the cells of some entries and where they end, their float32 values, the int32 sample of
  ;; each cell, -1 for none, and the float64 sum of sample 0, before which is that of the cells without one.
  (func (export "addUp") (param $cells i32) (param $end i32) (param $values i32) (param $samples i32) (param $sums i32)
    (local $at i32)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (i32.lt_u (local.get $cells) (local.get $end))))
        (local.set $at
          (i32.add
            (local.get $sums)
            (i32.shl
              (i32.load (i32.add (local.get $samples) (i32.shl (i32.load (local.get $cells)) (i32.const 2))))
              (i32.const 3))))
        (f64.store
          (local.get $at)
          (f64.add (f64.load (local.get $at)) (f64.promote_f32 (f32.load (local.get $values)))))
        (local.set $cells (i32.add (local.get $cells) (i32.const 4)))
        (local.set $values (i32.add (local.get $values) (i32.const 4)))
        (br $next)))))
