;; Which points of a leaf are near some others. JavaScript, which has no float32 and one number at a time, takes five times
;; as long. A leaf has 32 points in 128 bytes of float32 for each dimension, a multiple of four of them.
(module
  (import "env" "memory" (memory 0))
  ;; All parameters are addresses but `dimensions`, the bytes of a point that is asked for, dimension after dimension. Each
  ;; of those in [asked, end) takes eight bytes: its address, and in float32 the square that it is asked within. Writes the
  ;; address in `asked` and the bits of the points that are near, those from 16 on with bit 16 set, for each half of the leaf that
  ;; has any. Returns where that ends.
  (func (export "near")
    (param $asked i32) (param $end i32) (param $points i32) (param $dimensions i32) (param $out i32) (result i32)
    (local $half i32) (local $at i32) (local $stop i32) (local $from i32) (local $mask i32)
    (local $limit v128) (local $own v128) (local $apart v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (i32.lt_u (local.get $asked) (local.get $end))))
        (local.set $limit (v128.load32_splat offset=4 (local.get $asked)))
        (local.set $half (i32.const 0))
        (loop $halves
          (local.set $at (i32.load (local.get $asked)))
          (local.set $stop (i32.add (local.get $at) (local.get $dimensions)))
          (local.set $from (i32.add (local.get $points) (local.get $half)))
          (local.set $a (v128.const i32x4 0 0 0 0))
          (local.set $b (v128.const i32x4 0 0 0 0))
          (local.set $c (v128.const i32x4 0 0 0 0))
          (local.set $d (v128.const i32x4 0 0 0 0))
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
              (local.set $own (v128.load32_splat offset=4 (local.get $at)))
              (local.set $apart (f32x4.sub (v128.load offset=128 (local.get $from)) (local.get $own)))
              (local.set $a (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $a)))
              (local.set $apart (f32x4.sub (v128.load offset=144 (local.get $from)) (local.get $own)))
              (local.set $b (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $b)))
              (local.set $apart (f32x4.sub (v128.load offset=160 (local.get $from)) (local.get $own)))
              (local.set $c (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $c)))
              (local.set $apart (f32x4.sub (v128.load offset=176 (local.get $from)) (local.get $own)))
              (local.set $d (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $d)))
              (local.set $own (v128.load32_splat offset=8 (local.get $at)))
              (local.set $apart (f32x4.sub (v128.load offset=256 (local.get $from)) (local.get $own)))
              (local.set $a (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $a)))
              (local.set $apart (f32x4.sub (v128.load offset=272 (local.get $from)) (local.get $own)))
              (local.set $b (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $b)))
              (local.set $apart (f32x4.sub (v128.load offset=288 (local.get $from)) (local.get $own)))
              (local.set $c (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $c)))
              (local.set $apart (f32x4.sub (v128.load offset=304 (local.get $from)) (local.get $own)))
              (local.set $d (f32x4.relaxed_madd (local.get $apart) (local.get $apart) (local.get $d)))
              (local.set $own (v128.load32_splat offset=12 (local.get $at)))
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
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (local.set $from (i32.add (local.get $from) (i32.const 512)))
              (br_if $dimension (i32.lt_u (local.get $at) (local.get $stop))))
            (local.set $mask
              (i32.or
                (i32.or
                  (i32x4.bitmask (f32x4.le (local.get $a) (local.get $limit)))
                  (i32.shl (i32x4.bitmask (f32x4.le (local.get $b) (local.get $limit))) (i32.const 4)))
                (i32.or
                  (i32.shl (i32x4.bitmask (f32x4.le (local.get $c) (local.get $limit))) (i32.const 8))
                  (i32.shl (i32x4.bitmask (f32x4.le (local.get $d) (local.get $limit))) (i32.const 12)))))
            (i32.store (local.get $out) (local.get $asked))
            (i32.store offset=4
              (local.get $out)
              (i32.or (local.get $mask) (i32.shl (local.get $half) (i32.const 10))))
            (local.set $out (i32.add (local.get $out) (i32.const 8))))
          (local.set $half (i32.add (local.get $half) (i32.const 64)))
          (br_if $halves (i32.lt_u (local.get $half) (i32.const 128))))
        (local.set $asked (i32.add (local.get $asked) (i32.const 8)))
        (br $next)))
    (local.get $out)))
