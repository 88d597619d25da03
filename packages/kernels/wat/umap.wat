;; One epoch of the layout of UMAP: every edge whose turn it is pulls its cells together, and pushes its first cell from five
;; cells that are drawn. JavaScript has no float32 and one number at a time. An edge has 12 bytes: the address of its second
;; cell, and as float32 how many epochs lie between its turns and when the next one is. A cell has two float32. Coefficients
;; come from tables by the bits of the squared distance d: 256 for each doubling from 2^-24 to 2^16, first those of attraction,
;; then, 40,960 bytes on, those of repulsion.
(module
  (import "env" "memory" (memory 0))
  ;; Addresses: of the first cell, of where the edges of each cell end (an address each) and where these end, of the first edge,
  ;; of the tables less four times the bits of 2^-24 without the last 15, and of the 64 bits that the last draw left.
  (func (export "epoch")
    (param $cells i32) (param $ends i32) (param $stop i32) (param $edge i32) (param $tables i32) (param $random i32)
    (param $count i32) (param $now f32) (param $rate f32)
    (local $cell i32) (local $end i32) (local $other i32) (local $drawn i32) (local $draws i64) (local $next f32)
    (local $step v128) (local $own v128) (local $apart v128) (local $square v128) (local $move v128) (local $sum v128)
    (local $none v128)
    (local.set $step (f32x4.splat (local.get $rate)))
    (local.set $draws (i64.load (local.get $random)))
    (local.set $cell (local.get $cells))
    (block $done
      (loop $nextCell
        (br_if $done (i32.eq (local.get $ends) (local.get $stop)))
        (local.set $end (i32.load (local.get $ends)))
        (local.set $own (v128.load64_zero (local.get $cell)))
        (block $noEdges
          (loop $nextEdge
            (br_if $noEdges (i32.eq (local.get $edge) (local.get $end)))
            (local.set $next (f32.load offset=8 (local.get $edge)))
            (if (f32.le (local.get $next) (local.get $now))
              (then
                (f32.store offset=8
                  (local.get $edge)
                  (f32.add (local.get $next) (f32.load offset=4 (local.get $edge))))
                (local.set $other (i32.load (local.get $edge)))
                (local.set $apart (f32x4.sub (local.get $own) (v128.load64_zero (local.get $other))))
                (local.set $square (f32x4.mul (local.get $apart) (local.get $apart)))
                (local.set $move
                  (f32x4.mul
                    (local.get $step)
                    (f32x4.pmin
                      (f32x4.pmax
                        (f32x4.mul
                          (local.get $apart)
                          (v128.load32_splat
                            (i32.add
                              (local.get $tables)
                              (i32.and
                                (i32.shr_u
                                  (i32x4.extract_lane 0
                                    (f32x4.pmin
                                      (f32x4.pmax
                                        (f32x4.add
                                          (local.get $square)
                                          (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11
                                            (local.get $square)
                                            (local.get $square)))
                                        (v128.const i32x4 0x33800000 0x33800000 0x33800000 0x33800000))
                                      (v128.const i32x4 0x477fffff 0x477fffff 0x477fffff 0x477fffff)))
                                  (i32.const 13))
                                (i32.const -4)))))
                        (v128.const i32x4 0xc0800000 0xc0800000 0xc0800000 0xc0800000))
                      (v128.const i32x4 0x40800000 0x40800000 0x40800000 0x40800000))))
                (local.set $own (f32x4.add (local.get $own) (local.get $move)))
                (i64.store
                  (local.get $other)
                  (i64x2.extract_lane 0 (f32x4.sub (v128.load64_zero (local.get $other)) (local.get $move))))
                ;; Before others are drawn: a cell that is drawn itself lies on its own place and is not pushed.
                (i64.store (local.get $cell) (i64x2.extract_lane 0 (local.get $own)))
                (local.set $sum (local.get $none))
                (local.set $drawn (i32.const 5))
                ;; All five push it from where it is now, so that the processor can take them at the same time.
                (loop $nextDraw
                  (local.set $draws
                    (i64.add
                      (i64.mul (local.get $draws) (i64.const 6364136223846793005))
                      (i64.const 1442695040888963407)))
                  (local.set $apart
                    (f32x4.sub
                      (local.get $own)
                      (v128.load64_zero
                        (i32.add
                          (local.get $cells)
                          (i32.shl
                            (i32.wrap_i64
                              (i64.shr_u
                                (i64.mul
                                  (i64.shr_u (local.get $draws) (i64.const 32))
                                  (i64.extend_i32_u (local.get $count)))
                                (i64.const 32)))
                            (i32.const 3))))))
                  (local.set $square (f32x4.mul (local.get $apart) (local.get $apart)))
                  (local.set $sum
                    (f32x4.add
                      (local.get $sum)
                      (f32x4.pmin
                        (f32x4.pmax
                          (f32x4.mul
                            (local.get $apart)
                            (v128.load32_splat offset=40960
                              (i32.add
                                (local.get $tables)
                                (i32.and
                                  (i32.shr_u
                                    (i32x4.extract_lane 0
                                      (f32x4.pmin
                                        (f32x4.pmax
                                          (f32x4.add
                                            (local.get $square)
                                            (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11
                                              (local.get $square)
                                              (local.get $square)))
                                          (v128.const i32x4 0x33800000 0x33800000 0x33800000 0x33800000))
                                        (v128.const i32x4 0x477fffff 0x477fffff 0x477fffff 0x477fffff)))
                                    (i32.const 13))
                                  (i32.const -4)))))
                          (v128.const i32x4 0xc0800000 0xc0800000 0xc0800000 0xc0800000))
                        (v128.const i32x4 0x40800000 0x40800000 0x40800000 0x40800000))))
                  (local.set $drawn (i32.sub (local.get $drawn) (i32.const 1)))
                  (br_if $nextDraw (local.get $drawn)))
                (local.set $own
                  (f32x4.add (local.get $own) (f32x4.mul (local.get $step) (local.get $sum))))))
            (local.set $edge (i32.add (local.get $edge) (i32.const 12)))
            (br $nextEdge)))
        (i64.store (local.get $cell) (i64x2.extract_lane 0 (local.get $own)))
        (local.set $cell (i32.add (local.get $cell) (i32.const 8)))
        (local.set $ends (i32.add (local.get $ends) (i32.const 4)))
        (br $nextCell)))
    (i64.store (local.get $random) (local.get $draws))))
