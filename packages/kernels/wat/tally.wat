;; The loop over all entries of a matrix. JavaScript, which has no addition of float32, takes four times as long.
(module
  (import "env" "memory" (memory 0))
  ;; All parameters are addresses: the cells and values of some entries of a gene, and where the values end; the place of
  ;; each cell's stratum in units of eight bytes; the first stratum; the gene's sum in float32, after which the number of
  ;; its NaN follows. A stratum has the sum of its values and of their squares, in float64, and the number of values but 0.
  (func (export "tally")
    (param $cells i32) (param $values i32) (param $end i32) (param $places i32) (param $strata i32) (param $gene i32)
    (local $stratum i32) (local $value f32) (local $square f32) (local $total f32)
    (local.set $total (f32.load align=1 (local.get $gene)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (i32.lt_u (local.get $values) (local.get $end))))
        (local.set $value (f32.load align=1 (local.get $values)))
        (local.set $stratum
          (i32.add
            (local.get $strata)
            (i32.shl
              (i32.load16_u align=1
                (i32.add
                  (local.get $places)
                  (i32.shl (i32.load align=1 (local.get $cells)) (i32.const 1))))
              (i32.const 3))))
        (local.set $square (f32.mul (local.get $value) (local.get $value)))
        (f64.store align=1 (local.get $stratum)
          (f64.add (f64.load align=1 (local.get $stratum)) (f64.promote_f32 (local.get $value))))
        (f64.store offset=8 align=1 (local.get $stratum)
          (f64.add (f64.load offset=8 align=1 (local.get $stratum)) (f64.promote_f32 (local.get $square))))
        (i32.store offset=16 align=1 (local.get $stratum)
          (i32.add
            (i32.load offset=16 align=1 (local.get $stratum))
            (f32.ne (local.get $value) (f32.const 0))))
        (if (f32.eq (local.get $value) (local.get $value))
          (then (local.set $total (f32.add (local.get $total) (local.get $value))))
          (else
            (i32.store offset=4 align=1 (local.get $gene)
              (i32.add (i32.load offset=4 align=1 (local.get $gene)) (i32.const 1)))))
        (local.set $values (i32.add (local.get $values) (i32.const 4)))
        (local.set $cells (i32.add (local.get $cells) (i32.const 4)))
        (br $next)))
    (f32.store align=1 (local.get $gene) (local.get $total))))
