;; What principal components take: products of a sparse matrix with itself, and of it and of dense ones with eight vectors at a
;; time. JavaScript has one number at a time, and checks the bounds of three arrays for each. An entry of the sparse matrix has
;; 8 bytes: its value as float32 and its column; those of a row follow each other by rising columns. Eight vectors of float64
;; lie side by side, 64 bytes for each of their elements. All parameters are addresses.
(module
  (import "env" "memory" (memory 0))
  ;; Adds to a row of the matrix transposed x the matrix, from the diagonal on. `list` has two addresses for each row with an
  ;; entry in that column: of this entry, and of the row's end.
  (func (export "gram") (param $list i32) (param $end i32) (param $into i32)
    (local $at i32) (local $stop i32) (local $sum i32) (local $value f64)
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $list) (local.get $end)))
        (local.set $at (i32.load (local.get $list)))
        (local.set $stop (i32.load offset=4 (local.get $list)))
        (local.set $value (f64.promote_f32 (f32.load (local.get $at))))
        (loop $entry
          (local.set $sum
            (i32.add (local.get $into) (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 3))))
          (f64.store
            (local.get $sum)
            (f64.add
              (f64.load (local.get $sum))
              (f64.mul (local.get $value) (f64.promote_f32 (f32.load (local.get $at))))))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br_if $entry (i32.lt_u (local.get $at) (local.get $stop))))
        (local.set $list (i32.add (local.get $list) (i32.const 8)))
        (br $next))))

  ;; Eight vectors by each row, whose entries end at `ends`: `out` has what they come to.
  (func (export "project") (param $at i32) (param $ends i32) (param $last i32) (param $vectors i32) (param $out i32)
    (local $stop i32) (local $from i32) (local $value v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $none v128)
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $ends) (local.get $last)))
        (local.set $stop (i32.load (local.get $ends)))
        (local.set $a (local.get $none))
        (local.set $b (local.get $none))
        (local.set $c (local.get $none))
        (local.set $d (local.get $none))
        (block $empty
          (loop $entry
            (br_if $empty (i32.eq (local.get $at) (local.get $stop)))
            (local.set $value (f64x2.splat (f64.promote_f32 (f32.load (local.get $at)))))
            (local.set $from
              (i32.add (local.get $vectors) (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 6))))
            (local.set $a (f64x2.relaxed_madd (local.get $value) (v128.load (local.get $from)) (local.get $a)))
            (local.set $b (f64x2.relaxed_madd (local.get $value) (v128.load offset=16 (local.get $from)) (local.get $b)))
            (local.set $c (f64x2.relaxed_madd (local.get $value) (v128.load offset=32 (local.get $from)) (local.get $c)))
            (local.set $d (f64x2.relaxed_madd (local.get $value) (v128.load offset=48 (local.get $from)) (local.get $d)))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br $entry)))
        (v128.store (local.get $out) (local.get $a))
        (v128.store offset=16 (local.get $out) (local.get $b))
        (v128.store offset=32 (local.get $out) (local.get $c))
        (v128.store offset=48 (local.get $out) (local.get $d))
        (local.set $out (i32.add (local.get $out) (i32.const 64)))
        (local.set $ends (i32.add (local.get $ends) (i32.const 4)))
        (br $next))))

  ;; Adds each row times its own eight numbers to the sums of its columns.
  (func (export "collect") (param $at i32) (param $ends i32) (param $last i32) (param $numbers i32) (param $sums i32)
    (local $stop i32) (local $sum i32) (local $value v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $ends) (local.get $last)))
        (local.set $stop (i32.load (local.get $ends)))
        (local.set $a (v128.load (local.get $numbers)))
        (local.set $b (v128.load offset=16 (local.get $numbers)))
        (local.set $c (v128.load offset=32 (local.get $numbers)))
        (local.set $d (v128.load offset=48 (local.get $numbers)))
        (block $empty
          (loop $entry
            (br_if $empty (i32.eq (local.get $at) (local.get $stop)))
            (local.set $value (f64x2.splat (f64.promote_f32 (f32.load (local.get $at)))))
            (local.set $sum
              (i32.add (local.get $sums) (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 6))))
            (v128.store (local.get $sum)
              (f64x2.relaxed_madd (local.get $value) (local.get $a) (v128.load (local.get $sum))))
            (v128.store offset=16 (local.get $sum)
              (f64x2.relaxed_madd (local.get $value) (local.get $b) (v128.load offset=16 (local.get $sum))))
            (v128.store offset=32 (local.get $sum)
              (f64x2.relaxed_madd (local.get $value) (local.get $c) (v128.load offset=32 (local.get $sum))))
            (v128.store offset=48 (local.get $sum)
              (f64x2.relaxed_madd (local.get $value) (local.get $d) (v128.load offset=48 (local.get $sum))))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br $entry)))
        (local.set $numbers (i32.add (local.get $numbers) (i32.const 64)))
        (local.set $ends (i32.add (local.get $ends) (i32.const 4)))
        (br $next))))

  ;; Eight vectors by the rows of a dense matrix from `row` to `end`, two rows at a time; `width`: bytes of a row.
  (func (export "multiply") (param $row i32) (param $end i32) (param $width i32) (param $vectors i32) (param $out i32)
    (local $from i32) (local $other i32) (local $stop i32) (local $value v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128) (local $none v128)
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $row) (local.get $end)))
        (local.set $stop (i32.add (local.get $row) (local.get $width)))
        (local.set $other (local.get $stop))
        (local.set $from (local.get $vectors))
        (local.set $a (local.get $none))
        (local.set $b (local.get $none))
        (local.set $c (local.get $none))
        (local.set $d (local.get $none))
        (local.set $e (local.get $none))
        (local.set $f (local.get $none))
        (local.set $g (local.get $none))
        (local.set $h (local.get $none))
        (loop $element
          (local.set $value (v128.load64_splat (local.get $row)))
          (local.set $a (f64x2.relaxed_madd (local.get $value) (v128.load (local.get $from)) (local.get $a)))
          (local.set $b (f64x2.relaxed_madd (local.get $value) (v128.load offset=16 (local.get $from)) (local.get $b)))
          (local.set $c (f64x2.relaxed_madd (local.get $value) (v128.load offset=32 (local.get $from)) (local.get $c)))
          (local.set $d (f64x2.relaxed_madd (local.get $value) (v128.load offset=48 (local.get $from)) (local.get $d)))
          (local.set $value (v128.load64_splat (local.get $other)))
          (local.set $e (f64x2.relaxed_madd (local.get $value) (v128.load (local.get $from)) (local.get $e)))
          (local.set $f (f64x2.relaxed_madd (local.get $value) (v128.load offset=16 (local.get $from)) (local.get $f)))
          (local.set $g (f64x2.relaxed_madd (local.get $value) (v128.load offset=32 (local.get $from)) (local.get $g)))
          (local.set $h (f64x2.relaxed_madd (local.get $value) (v128.load offset=48 (local.get $from)) (local.get $h)))
          (local.set $from (i32.add (local.get $from) (i32.const 64)))
          (local.set $other (i32.add (local.get $other) (i32.const 8)))
          (local.set $row (i32.add (local.get $row) (i32.const 8)))
          (br_if $element (i32.lt_u (local.get $row) (local.get $stop))))
        (v128.store (local.get $out) (local.get $a))
        (v128.store offset=16 (local.get $out) (local.get $b))
        (v128.store offset=32 (local.get $out) (local.get $c))
        (v128.store offset=48 (local.get $out) (local.get $d))
        (v128.store offset=64 (local.get $out) (local.get $e))
        (v128.store offset=80 (local.get $out) (local.get $f))
        (v128.store offset=96 (local.get $out) (local.get $g))
        (v128.store offset=112 (local.get $out) (local.get $h))
        (local.set $out (i32.add (local.get $out) (i32.const 128)))
        (local.set $row (local.get $other))
        (br $next))))

  ;; Adds to eight vectors the rows of a dense matrix from `row` to `end`, each times its own eight numbers, two at a time.
  (func (export "combine") (param $row i32) (param $end i32) (param $width i32) (param $numbers i32) (param $into i32)
    (local $to i32) (local $other i32) (local $stop i32) (local $one v128) (local $two v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $row) (local.get $end)))
        (local.set $stop (i32.add (local.get $row) (local.get $width)))
        (local.set $other (local.get $stop))
        (local.set $to (local.get $into))
        (local.set $a (v128.load (local.get $numbers)))
        (local.set $b (v128.load offset=16 (local.get $numbers)))
        (local.set $c (v128.load offset=32 (local.get $numbers)))
        (local.set $d (v128.load offset=48 (local.get $numbers)))
        (local.set $e (v128.load offset=64 (local.get $numbers)))
        (local.set $f (v128.load offset=80 (local.get $numbers)))
        (local.set $g (v128.load offset=96 (local.get $numbers)))
        (local.set $h (v128.load offset=112 (local.get $numbers)))
        (loop $element
          (local.set $one (v128.load64_splat (local.get $row)))
          (local.set $two (v128.load64_splat (local.get $other)))
          (v128.store (local.get $to)
            (f64x2.relaxed_madd (local.get $one) (local.get $a)
              (f64x2.relaxed_madd (local.get $two) (local.get $e) (v128.load (local.get $to)))))
          (v128.store offset=16 (local.get $to)
            (f64x2.relaxed_madd (local.get $one) (local.get $b)
              (f64x2.relaxed_madd (local.get $two) (local.get $f) (v128.load offset=16 (local.get $to)))))
          (v128.store offset=32 (local.get $to)
            (f64x2.relaxed_madd (local.get $one) (local.get $c)
              (f64x2.relaxed_madd (local.get $two) (local.get $g) (v128.load offset=32 (local.get $to)))))
          (v128.store offset=48 (local.get $to)
            (f64x2.relaxed_madd (local.get $one) (local.get $d)
              (f64x2.relaxed_madd (local.get $two) (local.get $h) (v128.load offset=48 (local.get $to)))))
          (local.set $to (i32.add (local.get $to) (i32.const 64)))
          (local.set $other (i32.add (local.get $other) (i32.const 8)))
          (local.set $row (i32.add (local.get $row) (i32.const 8)))
          (br_if $element (i32.lt_u (local.get $row) (local.get $stop))))
        (local.set $numbers (i32.add (local.get $numbers) (i32.const 128)))
        (local.set $row (local.get $other))
        (br $next)))))
