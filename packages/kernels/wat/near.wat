;; Which points are near those of a leaf. JavaScript, which has no float32 and one number at a time, takes many times as
;; long. A leaf has 32 points in 128 bytes of float32 for each dimension, a multiple of four of them, and NaN where it has no
;; point; a box has the least and then the greatest coordinates. Parameters are addresses but `size`, the bytes of a number for
;; each dimension, and `asked`, bits of the leaf's points. Distances are squares; each point of the leaf has its limit.
(module
  (import "env" "memory" (memory 0))
  ;; The bits of the points that a box may be near.
  (func (export "nearBox") (param $leaf i32) (param $limits i32) (param $box i32) (param $size i32) (result i32)
    (local $half i32) (local $at i32) (local $stop i32) (local $from i32) (local $found i32)
    (local $low v128) (local $high v128) (local $none v128) (local $point v128) (local $gap v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $halves
      (local.set $at (local.get $box))
      (local.set $stop (i32.add (local.get $box) (local.get $size)))
      (local.set $from (i32.add (local.get $leaf) (local.get $half)))
      (local.set $a (local.get $none))
      (local.set $b (local.get $none))
      (local.set $c (local.get $none))
      (local.set $d (local.get $none))
      (block $far
        (loop $dimension
          (local.set $low (v128.load32_splat (local.get $at)))
          (local.set $high (v128.load32_splat (i32.add (local.get $at) (local.get $size))))
          (local.set $point (v128.load offset=0 (local.get $from)))
          (local.set $gap
            (f32x4.pmax
              (f32x4.pmax
                (f32x4.sub (local.get $low) (local.get $point))
                (f32x4.sub (local.get $point) (local.get $high)))
              (local.get $none)))
          (local.set $a (f32x4.relaxed_madd (local.get $gap) (local.get $gap) (local.get $a)))
          (local.set $point (v128.load offset=16 (local.get $from)))
          (local.set $gap
            (f32x4.pmax
              (f32x4.pmax
                (f32x4.sub (local.get $low) (local.get $point))
                (f32x4.sub (local.get $point) (local.get $high)))
              (local.get $none)))
          (local.set $b (f32x4.relaxed_madd (local.get $gap) (local.get $gap) (local.get $b)))
          (local.set $point (v128.load offset=32 (local.get $from)))
          (local.set $gap
            (f32x4.pmax
              (f32x4.pmax
                (f32x4.sub (local.get $low) (local.get $point))
                (f32x4.sub (local.get $point) (local.get $high)))
              (local.get $none)))
          (local.set $c (f32x4.relaxed_madd (local.get $gap) (local.get $gap) (local.get $c)))
          (local.set $point (v128.load offset=48 (local.get $from)))
          (local.set $gap
            (f32x4.pmax
              (f32x4.pmax
                (f32x4.sub (local.get $low) (local.get $point))
                (f32x4.sub (local.get $point) (local.get $high)))
              (local.get $none)))
          (local.set $d (f32x4.relaxed_madd (local.get $gap) (local.get $gap) (local.get $d)))
          (br_if $far
            (i32.eqz
              (v128.any_true
                (v128.or
                  (v128.or
                    (f32x4.le (local.get $a) (v128.load (i32.add (local.get $limits) (local.get $half))))
                    (f32x4.le (local.get $b) (v128.load offset=16 (i32.add (local.get $limits) (local.get $half)))))
                  (v128.or
                    (f32x4.le (local.get $c) (v128.load offset=32 (i32.add (local.get $limits) (local.get $half))))
                    (f32x4.le (local.get $d) (v128.load offset=48 (i32.add (local.get $limits) (local.get $half)))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (local.set $from (i32.add (local.get $from) (i32.const 128)))
          (br_if $dimension (i32.lt_u (local.get $at) (local.get $stop))))
        (local.set $found
          (i32.or
            (local.get $found)
            (i32.shl
              (i32.or
                (i32.or
                  (i32x4.bitmask
                    (f32x4.le (local.get $a) (v128.load (i32.add (local.get $limits) (local.get $half)))))
                  (i32.shl
                    (i32x4.bitmask
                      (f32x4.le (local.get $b) (v128.load offset=16 (i32.add (local.get $limits) (local.get $half)))))
                    (i32.const 4)))
                (i32.or
                  (i32.shl
                    (i32x4.bitmask
                      (f32x4.le (local.get $c) (v128.load offset=32 (i32.add (local.get $limits) (local.get $half)))))
                    (i32.const 8))
                  (i32.shl
                    (i32x4.bitmask
                      (f32x4.le (local.get $d) (v128.load offset=48 (i32.add (local.get $limits) (local.get $half)))))
                    (i32.const 12))))
              ;; 16 for the second half.
              (i32.shr_u (local.get $half) (i32.const 2))))))
      (local.set $half (i32.add (local.get $half) (i32.const 64)))
      (br_if $halves (i32.lt_u (local.get $half) (i32.const 128))))
    (local.get $found))
  ;; For each of the points that are asked for and each half of another leaf that has some within its limit, writes the number
  ;; of the point, 32 more for the second half, and the bits of those. Returns where that ends.
  (func (export "nearPoints")
    (param $leaf i32) (param $limits i32) (param $asked i32) (param $other i32) (param $size i32) (param $out i32) (result i32)
    (local $number i32) (local $half i32) (local $at i32) (local $stop i32) (local $from i32)
    (local $limit v128) (local $own v128) (local $apart v128) (local $none v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $asked)))
        (local.set $number (i32.ctz (local.get $asked)))
        (local.set $asked (i32.and (local.get $asked) (i32.sub (local.get $asked) (i32.const 1))))
        (local.set $limit
          (v128.load32_splat (i32.add (local.get $limits) (i32.shl (local.get $number) (i32.const 2)))))
        (local.set $half (i32.const 0))
        (loop $halves
          (local.set $at (i32.add (local.get $leaf) (i32.shl (local.get $number) (i32.const 2))))
          (local.set $stop (i32.add (local.get $at) (i32.shl (local.get $size) (i32.const 5))))
          (local.set $from (i32.add (local.get $other) (local.get $half)))
          (local.set $a (local.get $none))
          (local.set $b (local.get $none))
          (local.set $c (local.get $none))
          (local.set $d (local.get $none))
          (block $far
            (loop $dimension
              (local.set $own (v128.load32_splat offset=0 (local.get $at)))
              (local.set $apart (f32x4.sub (v128.load offset=0 (local.get $from)) (local.get $own)))
              (local.set $a (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $a)))
              (local.set $apart (f32x4.sub (v128.load offset=16 (local.get $from)) (local.get $own)))
              (local.set $b (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $b)))
              (local.set $apart (f32x4.sub (v128.load offset=32 (local.get $from)) (local.get $own)))
              (local.set $c (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $c)))
              (local.set $apart (f32x4.sub (v128.load offset=48 (local.get $from)) (local.get $own)))
              (local.set $d (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $d)))
              (local.set $own (v128.load32_splat offset=128 (local.get $at)))
              (local.set $apart (f32x4.sub (v128.load offset=128 (local.get $from)) (local.get $own)))
              (local.set $a (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $a)))
              (local.set $apart (f32x4.sub (v128.load offset=144 (local.get $from)) (local.get $own)))
              (local.set $b (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $b)))
              (local.set $apart (f32x4.sub (v128.load offset=160 (local.get $from)) (local.get $own)))
              (local.set $c (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $c)))
              (local.set $apart (f32x4.sub (v128.load offset=176 (local.get $from)) (local.get $own)))
              (local.set $d (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $d)))
              (local.set $own (v128.load32_splat offset=256 (local.get $at)))
              (local.set $apart (f32x4.sub (v128.load offset=256 (local.get $from)) (local.get $own)))
              (local.set $a (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $a)))
              (local.set $apart (f32x4.sub (v128.load offset=272 (local.get $from)) (local.get $own)))
              (local.set $b (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $b)))
              (local.set $apart (f32x4.sub (v128.load offset=288 (local.get $from)) (local.get $own)))
              (local.set $c (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $c)))
              (local.set $apart (f32x4.sub (v128.load offset=304 (local.get $from)) (local.get $own)))
              (local.set $d (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $d)))
              (local.set $own (v128.load32_splat offset=384 (local.get $at)))
              (local.set $apart (f32x4.sub (v128.load offset=384 (local.get $from)) (local.get $own)))
              (local.set $a (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $a)))
              (local.set $apart (f32x4.sub (v128.load offset=400 (local.get $from)) (local.get $own)))
              (local.set $b (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $b)))
              (local.set $apart (f32x4.sub (v128.load offset=416 (local.get $from)) (local.get $own)))
              (local.set $c (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $c)))
              (local.set $apart (f32x4.sub (v128.load offset=432 (local.get $from)) (local.get $own)))
              (local.set $d (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $d)))
              ;; All sixteen are too far already, as most are after some dimensions.
              (br_if $far
                (i32.eqz
                  (v128.any_true
                    (v128.or
                      (v128.or
                        (f32x4.le (local.get $a) (local.get $limit))
                        (f32x4.le (local.get $b) (local.get $limit)))
                      (v128.or
                        (f32x4.le (local.get $c) (local.get $limit))
                        (f32x4.le (local.get $d) (local.get $limit)))))))
              (local.set $at (i32.add (local.get $at) (i32.const 512)))
              (local.set $from (i32.add (local.get $from) (i32.const 512)))
              (br_if $dimension (i32.lt_u (local.get $at) (local.get $stop))))
            (i32.store (local.get $out) (i32.or (local.get $number) (i32.shr_u (local.get $half) (i32.const 1))))
            (i32.store offset=4
              (local.get $out)
              (i32.or
                (i32.or
                  (i32x4.bitmask (f32x4.le (local.get $a) (local.get $limit)))
                  (i32.shl (i32x4.bitmask (f32x4.le (local.get $b) (local.get $limit))) (i32.const 4)))
                (i32.or
                  (i32.shl (i32x4.bitmask (f32x4.le (local.get $c) (local.get $limit))) (i32.const 8))
                  (i32.shl (i32x4.bitmask (f32x4.le (local.get $d) (local.get $limit))) (i32.const 12)))))
            (local.set $out (i32.add (local.get $out) (i32.const 8))))
          (local.set $half (i32.add (local.get $half) (i32.const 64)))
          (br_if $halves (i32.lt_u (local.get $half) (i32.const 128))))
        (br $next)))
    (local.get $out)))
