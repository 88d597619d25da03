;; Products and sums of rows of float64 numbers, two at a time where JavaScript takes one. All parameters are addresses but
;; $size, the bytes of a row, which is a multiple of 16. What stands behind the end of shorter rows is zero.
(module
  (import "env" "memory" (memory 0))
  ;; The product of a vector and each of some others, of which there are a multiple of four.
  (func (export "products")
    (param $vector i32) (param $others i32) (param $stop i32) (param $size i32) (param $products i32)
    (local $at i32) (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $own v128)
    (local $none v128) (local $two i32)
    (local.set $end (i32.add (local.get $vector) (local.get $size)))
    (loop $nextOthers
      (local.set $a (local.get $none))
      (local.set $b (local.get $none))
      (local.set $c (local.get $none))
      (local.set $d (local.get $none))
      (local.set $at (local.get $vector))
      (loop $next
        (local.set $own (v128.load (local.get $at)))
        (local.set $two (i32.add (local.get $others) (i32.shl (local.get $size) (i32.const 1))))
        (local.set $a (f64x2.add (local.get $a) (f64x2.mul (local.get $own) (v128.load (local.get $others)))))
        (local.set $b
          (f64x2.add
            (local.get $b)
            (f64x2.mul (local.get $own) (v128.load (i32.add (local.get $others) (local.get $size))))))
        (local.set $c (f64x2.add (local.get $c) (f64x2.mul (local.get $own) (v128.load (local.get $two)))))
        (local.set $d
          (f64x2.add
            (local.get $d)
            (f64x2.mul (local.get $own) (v128.load (i32.add (local.get $two) (local.get $size))))))
        (local.set $others (i32.add (local.get $others) (i32.const 16)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $next (i32.ne (local.get $at) (local.get $end))))
      (v128.store
        (local.get $products)
        (f64x2.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $b))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $b))))
      (v128.store offset=16
        (local.get $products)
        (f64x2.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $c) (local.get $d))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $c) (local.get $d))))
      (local.set $products (i32.add (local.get $products) (i32.const 32)))
      ;; It stands at the second of the four.
      (local.set $others
        (i32.add (local.get $others) (i32.add (local.get $size) (i32.shl (local.get $size) (i32.const 1)))))
      (br_if $nextOthers (i32.lt_u (local.get $others) (local.get $stop)))))

  ;; Adds four vectors, which follow each other, to each of some sums, by their shares of it: a row of shares for each vector,
  ;; with as many bytes as `$row`.
  (func (export "addUp")
    (param $sums i32) (param $stop i32) (param $size i32) (param $shares i32) (param $row i32) (param $vectors i32)
    (local $at i32) (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $second i32) (local $third i32) (local $fourth i32)
    (loop $nextSum
      (local.set $at (i32.add (local.get $shares) (i32.shl (local.get $row) (i32.const 1))))
      (local.set $a (v128.load64_splat (local.get $shares)))
      (local.set $b (v128.load64_splat (i32.add (local.get $shares) (local.get $row))))
      (local.set $c (v128.load64_splat (local.get $at)))
      (local.set $d (v128.load64_splat (i32.add (local.get $at) (local.get $row))))
      (local.set $shares (i32.add (local.get $shares) (i32.const 8)))
      (local.set $at (local.get $vectors))
      (local.set $second (i32.add (local.get $vectors) (local.get $size)))
      (local.set $third (i32.add (local.get $second) (local.get $size)))
      (local.set $fourth (i32.add (local.get $third) (local.get $size)))
      (local.set $end (local.get $second))
      (loop $next
        (v128.store
          (local.get $sums)
          (f64x2.add
            (v128.load (local.get $sums))
            (f64x2.add
              (f64x2.add
                (f64x2.mul (local.get $a) (v128.load (local.get $at)))
                (f64x2.mul (local.get $b) (v128.load (local.get $second))))
              (f64x2.add
                (f64x2.mul (local.get $c) (v128.load (local.get $third)))
                (f64x2.mul (local.get $d) (v128.load (local.get $fourth)))))))
        (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $second (i32.add (local.get $second) (i32.const 16)))
        (local.set $third (i32.add (local.get $third) (i32.const 16)))
        (local.set $fourth (i32.add (local.get $fourth) (i32.const 16)))
        (br_if $next (i32.ne (local.get $at) (local.get $end))))
      (br_if $nextSum (i32.ne (local.get $sums) (local.get $stop)))))

  ;; Takes some vectors off a row, each as often as its share says; there are a multiple of four.
  (func (export "takeOff")
    (param $own i32) (param $size i32) (param $shares i32) (param $stop i32) (param $vectors i32)
    (local $at i32) (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $second i32) (local $third i32) (local $fourth i32)
    (local.set $end (i32.add (local.get $own) (local.get $size)))
    (loop $nextVectors
      (local.set $a (v128.load64_splat (local.get $shares)))
      (local.set $b (v128.load64_splat offset=8 (local.get $shares)))
      (local.set $c (v128.load64_splat offset=16 (local.get $shares)))
      (local.set $d (v128.load64_splat offset=24 (local.get $shares)))
      (local.set $shares (i32.add (local.get $shares) (i32.const 32)))
      (local.set $at (local.get $own))
      (local.set $second (i32.add (local.get $vectors) (local.get $size)))
      (local.set $third (i32.add (local.get $second) (local.get $size)))
      (local.set $fourth (i32.add (local.get $third) (local.get $size)))
      (loop $next
        (v128.store
          (local.get $at)
          (f64x2.sub
            (v128.load (local.get $at))
            (f64x2.add
              (f64x2.add
                (f64x2.mul (local.get $a) (v128.load (local.get $vectors)))
                (f64x2.mul (local.get $b) (v128.load (local.get $second))))
              (f64x2.add
                (f64x2.mul (local.get $c) (v128.load (local.get $third)))
                (f64x2.mul (local.get $d) (v128.load (local.get $fourth)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $vectors (i32.add (local.get $vectors) (i32.const 16)))
        (local.set $second (i32.add (local.get $second) (i32.const 16)))
        (local.set $third (i32.add (local.get $third) (i32.const 16)))
        (local.set $fourth (i32.add (local.get $fourth) (i32.const 16)))
        (br_if $next (i32.ne (local.get $at) (local.get $end))))
      (local.set $vectors (local.get $fourth))
      (br_if $nextVectors (i32.ne (local.get $shares) (local.get $stop))))))
